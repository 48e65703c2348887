import { fromBinary, type JsonObject, toJson } from "@bufbuild/protobuf";
import { RECORDED_MESSAGES, type RecordedEnd, type RecordedProtocol } from "@cursorwire/protocol/recording";
import type { BidiChannel, BidiService } from "../bidi/channel.ts";
import type { Stats } from "../control/stats.ts";
import { type Code, type ErrorName, RpcFailure } from "../rpc/failure.ts";
import { kindOf, type RecordedStream } from "./recording.ts";

/** Messages that are sent by a timer and wait for nothing. */
const HEARTBEATS: ReadonlySet<string> = new Set(["clientHeartbeat", "execHeartbeat", ""]);

/** Plays recorded streams, one per stream that a client opens in that protocol, and starts over after the last. */
export class Replay {
	readonly #streams: readonly RecordedStream[];
	readonly #next = new Map<RecordedProtocol, number>();

	constructor(streams: readonly RecordedStream[]) {
		this.#streams = streams;
	}

	/** Undefined if no stream of that protocol was recorded. */
	service(protocol: RecordedProtocol, stats: Stats): BidiService | undefined {
		const streams = this.#streams.filter((stream) => stream.protocol === protocol);
		if (streams.length === 0) return undefined;
		return async (channel) => {
			const turn = this.#next.get(protocol) ?? 0;
			this.#next.set(protocol, turn + 1);
			stats.runs.started += 1;
			await play(streams[turn % streams.length]!, channel);
			stats.runs.ended += 1;
		};
	}
}

async function play({ protocol, steps, end }: RecordedStream, channel: BidiChannel): Promise<void> {
	const received = new ClientMessageCounter(channel, protocol);
	const wanted = new Map<string, number>();
	for (const step of steps) {
		if (channel.clientGone.aborted) return;
		if ("say" in step) {
			channel.send(step.say);
			await channel.ready();
		} else if (!HEARTBEATS.has(step.hear)) {
			const count = (wanted.get(step.hear) ?? 0) + 1;
			wanted.set(step.hear, count);
			// Counted by kind, because answers may arrive in a different order.
			if (!(await received.atLeast(step.hear, count))) return;
		}
	}
	if (end === undefined) return untilClientLeaves(channel.clientGone);
	if (end.kind === "broken") channel.drop();
	else channel.end(failureOf(end));
}

function failureOf({ kind, code, errorName, detail }: RecordedEnd): RpcFailure | undefined {
	if (kind !== "error") return undefined;
	const details = errorName ? { error: `ERROR_${errorName}` as ErrorName, detail: detail ?? "" } : undefined;
	return new RpcFailure((code ?? "unknown") as Code, detail ?? "Error", details);
}

function untilClientLeaves(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return Promise.resolve();
	return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Counts the client's messages by kind. */
class ClientMessageCounter {
	readonly #counts = new Map<string, number>();
	#over = false;
	#wake: () => void = () => {};

	constructor(channel: BidiChannel, protocol: RecordedProtocol) {
		void this.#listen(channel, protocol);
		channel.clientGone.addEventListener("abort", () => this.#end(), { once: true });
	}

	/** Resolves to false if the stream ends before so many have come. */
	async atLeast(kind: string, count: number): Promise<boolean> {
		while ((this.#counts.get(kind) ?? 0) < count) {
			if (this.#over) return false;
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
		}
		return true;
	}

	async #listen(channel: BidiChannel, protocol: RecordedProtocol): Promise<void> {
		const { client } = RECORDED_MESSAGES[protocol];
		try {
			for (let bytes = await channel.receive(); bytes; bytes = await channel.receive()) {
				const kind = kindOf(toJson(client, fromBinary(client, bytes)) as JsonObject);
				this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
				this.#wake();
			}
		} finally {
			this.#end();
		}
	}

	#end(): void {
		this.#over = true;
		this.#wake();
	}
}
