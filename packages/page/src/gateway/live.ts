// The live stream: a snapshot, then changes, for as long as the page is open.
import { effect, signal } from "@preact/signals";
import type { LiveChange, LiveSnapshot } from "../../../gateway/src/page/contract.ts";
import { visible } from "../text/visible.ts";
import { STATES } from "../text/words.ts";
import { send } from "./ask.ts";
import { backOff } from "./back-off.ts";
import { EventReader, isRepeated, type StreamEvent } from "./events.ts";
import { fromSnapshot, type LiveState, spokenChange, withChange } from "./merge.ts";
import { sessionState } from "./session.ts";

export const live = signal<LiveState | undefined>();
export const connection = signal<"connecting" | "live" | "reconnecting">("connecting");
/** What a screen reader says. */
export const announcement = signal("");

/** The gateway sends a heartbeat every 15 seconds. */
const LONGEST_SILENCE_MS = 40_000;

let lastId: string | undefined;

/** Keeps a stream open while there is a session. */
export function followLive(): void {
	effect(() => {
		if (sessionState.value !== "open") return;
		const stop = new AbortController();
		void follow(stop.signal);
		return () => stop.abort();
	});
}

async function follow(over: AbortSignal): Promise<void> {
	let failures = 0;
	while (!over.aborted) {
		await readStream(over, () => {
			failures = 0;
		}).catch(() => undefined);
		if (over.aborted) return;
		connection.value = "reconnecting";
		await pause(backOff(++failures), over);
	}
}

async function readStream(over: AbortSignal, onOpen: () => void): Promise<void> {
	const silence = new AbortController();
	let timer = setTimeout(() => silence.abort(), LONGEST_SILENCE_MS);
	try {
		const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
		const response = await send("live", { headers, signal: AbortSignal.any([over, silence.signal]) });
		const reader = new EventReader();
		onOpen();
		for await (const piece of piecesOf(response.body!)) {
			clearTimeout(timer);
			timer = setTimeout(() => silence.abort(), LONGEST_SILENCE_MS);
			connection.value = "live";
			for (const event of reader.read(piece)) apply(event);
		}
	} finally {
		clearTimeout(timer);
	}
}

/** Not every browser can iterate over a stream. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
	const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		yield value;
	}
}

function apply({ id, type, data }: StreamEvent): void {
	// What was sent again after a reconnect has been applied already.
	if (type === "change" && isRepeated(id, lastId)) return;
	lastId = id ?? lastId;
	const before = live.peek();
	if (type === "snapshot") live.value = fromSnapshot(before, JSON.parse(data) as LiveSnapshot);
	else if (type === "change" && before !== undefined) live.value = withChange(before, JSON.parse(data) as LiveChange);
	const after = live.peek();
	if (before === undefined || after === undefined) return;
	const spoken = spokenChange(before, after, STATES);
	if (spoken.length > 0) announcement.value = visible(spoken.join("; "));
}

const pause = (ms: number, over: AbortSignal): Promise<void> =>
	new Promise((resolve) => {
		const timer = setTimeout(resolve, ms);
		over.addEventListener("abort", () => {
			clearTimeout(timer);
			resolve();
		});
	});
