import type { StopReason } from "../../../src/dialects/messages/finish.ts";
import { readSse } from "./sse.ts";

// For tests only: what a client makes of our events.

export interface ReadBlock {
	type: string;
	text?: string;
	thinking?: string;
	signature?: string;
	id?: string;
	name?: string;
	/** The input of a call, as its pieces add up. */
	json?: string;
	caller?: object;
}

export interface StreamEvent {
	type: string;
	index?: number;
	message?: { id: string; model: string; usage: object };
	content_block?: ReadBlock & { input?: object };
	delta?: {
		type?: string;
		text?: string;
		thinking?: string;
		signature?: string;
		partial_json?: string;
		stop_reason?: StopReason;
		stop_sequence?: string | null;
	};
	usage?: object;
	error?: { type: string; message: string };
}

export interface ReadMessage {
	blocks: ReadBlock[];
	stopReason: StopReason | undefined;
	stopSequence: string | null | undefined;
	usage: object | undefined;
	isComplete: boolean;
}

/** All events of a stream. Each has to bear its type as its name, as clients choose by either. */
export function readEvents(stream: string): StreamEvent[] {
	return readSse(stream).map(({ event, data }) => {
		const value = JSON.parse(data) as StreamEvent;
		if (value.type !== event) throw new Error(`an event of type ${value.type} is named ${event}`);
		return value;
	});
}

/** A message, put together as a strict client does it: it throws where an event may not come. */
export function readMessage(events: readonly StreamEvent[]): ReadMessage {
	const reader = new MessageReader();
	for (const event of events) reader.take(event);
	return reader.message;
}

type State = "before" | "between" | "inside" | "told" | "after";

class MessageReader {
	readonly message: ReadMessage = {
		...{ blocks: [], stopReason: undefined, stopSequence: undefined },
		...{ usage: undefined, isComplete: false },
	};
	#state: State = "before";

	take(event: StreamEvent): void {
		switch (event.type) {
			case "ping":
				return;
			case "message_start":
				return this.#move("before", "between");
			case "content_block_start":
				this.#move("between", "inside");
				this.#expect(event.index === this.message.blocks.length, "the next index");
				this.message.blocks.push({ ...event.content_block, type: event.content_block?.type ?? "", json: "" });
				return;
			case "content_block_delta":
				this.#move("inside", "inside");
				return this.#add(event);
			case "content_block_stop":
				this.#expect(event.index === this.message.blocks.length - 1, "the index of the open block");
				return this.#move("inside", "between");
			case "message_delta":
				this.#move("between", "told");
				this.message.stopReason = event.delta?.stop_reason;
				this.message.stopSequence = event.delta?.stop_sequence;
				this.message.usage = event.usage;
				return;
			case "message_stop":
				this.#move("told", "after");
				this.message.isComplete = true;
				return;
			default:
				throw new Error(`unexpected ${event.type}`);
		}
	}

	#add({ index, delta }: StreamEvent): void {
		const block = this.message.blocks.at(-1) as ReadBlock;
		this.#expect(index === this.message.blocks.length - 1, "the index of the open block");
		const wanted = {
			text: ["text_delta"],
			thinking: ["thinking_delta", "signature_delta"],
			tool_use: ["input_json_delta"],
		};
		this.#expect(wanted[block.type as "text"].includes(delta?.type ?? ""), "a delta that fits its block");
		if (delta?.text) block.text += delta.text;
		if (delta?.thinking) block.thinking += delta.thinking;
		if (delta?.signature) block.signature += delta.signature;
		if (delta?.partial_json) block.json += delta.partial_json;
	}

	#move(from: State, to: State): void {
		this.#expect(this.#state === from, `the state ${from} and not ${this.#state}`);
		this.#state = to;
	}

	#expect(holds: boolean, what: string): void {
		if (!holds) throw new Error(`expected ${what}`);
	}
}
