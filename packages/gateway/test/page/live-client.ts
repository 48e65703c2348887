// What a page makes of the live stream.
import { onTestFinished } from "vitest";
import type { Lane, LiveChange, LiveSnapshot, Strip, TurnRow } from "../../src/page/contract.ts";
import type { PageClient } from "./page-client.ts";

export interface LiveEvent {
	id: string;
	name: "snapshot" | "change";
	data: LiveSnapshot | LiveChange;
}

/** An open live stream, and everything that it has told. */
export class LiveClient {
	readonly events: LiveEvent[] = [];
	readonly lanes = new Map<string, Lane>();
	readonly finished: TurnRow[] = [];
	strip: Strip | undefined;
	comments = 0;
	isOver = false;
	readonly #abort = new AbortController();
	#changed = () => {};

	static async open(page: PageClient, lastEventId?: string): Promise<LiveClient> {
		const client = new LiveClient();
		onTestFinished(() => client.leave());
		const response = await page.fetch("live", {
			signal: client.#abort.signal,
			...(lastEventId !== undefined && { headers: { "last-event-id": lastEventId } }),
		});
		if (!response.ok) throw new Error(`the live stream was refused: ${response.status}`);
		void client.#read(response.body!);
		return client;
	}

	leave(): void {
		this.#abort.abort();
	}

	/** Resolves when what was told so far fulfils this. */
	async until(isSo: () => boolean): Promise<void> {
		while (!isSo()) {
			await new Promise<void>((resolve) => {
				this.#changed = resolve;
			});
		}
	}

	async #read(body: ReadableStream<Uint8Array>): Promise<void> {
		let rest = "";
		const decoder = new TextDecoder();
		try {
			for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
				const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
				rest = blocks.pop()!;
				for (const block of blocks) this.#take(block);
				this.#changed();
			}
		} catch {
			// It was left, or the gateway is gone.
		}
		this.isOver = true;
		this.#changed();
	}

	#take(block: string): void {
		if (block.startsWith(":")) return void this.comments++;
		const fields = new Map(block.split("\n").map((line) => line.split(/: (.*)/s) as [string, string]));
		const event = { id: fields.get("id")!, name: fields.get("event") as LiveEvent["name"] };
		const data = JSON.parse(fields.get("data")!) as LiveSnapshot & LiveChange;
		this.events.push({ ...event, data });
		if (event.name === "snapshot") {
			this.lanes.clear();
			this.finished.length = 0;
		}
		for (const id of data.gone ?? []) this.lanes.delete(id);
		for (const lane of data.lanes ?? []) this.lanes.set(lane.id, lane);
		this.finished.unshift(...(data.finished ?? []));
		this.strip = data.strip ?? this.strip;
	}
}
