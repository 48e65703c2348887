import type { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { NO_TOKENS, type TokenUsage } from "../../turn/usage.ts";
import type { StreamEncoder } from "../dialect.ts";
import { CallsInOrder } from "../shared/calls-in-order.ts";
import { dataEvent, jsonText } from "../shared/sse-text.ts";
import { toErrorBody } from "./errors.ts";
import { toMessageEnd, toMessageUsage } from "./finish.ts";
import { OWN_SIGNATURE } from "./signature.ts";

export interface MessagesStreamOptions {
	id: string;
	requestId?: string;
}

const PING = 'event: ping\ndata: {"type":"ping"}\n\n';
const KEEP_ALIVE = ": keep-alive\n\n";
const TEXT = '"text","text":""';
const THINKING = '"thinking","thinking":"","signature":""';
const STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

/**
 * The events of one turn as those of one message. Blocks follow each other, in the order in which they began.
 *
 * The message and its blocks are opened by the first thing they say, so that nothing is written before there is
 * something to say and no block is empty.
 */
export class MessagesStreamEncoder implements StreamEncoder {
	readonly #options: MessagesStreamOptions;
	#started = false;
	#model = "";
	#usage: TokenUsage = NO_TOKENS;
	/** How many blocks have begun. The last of them may be open. */
	#blocks = 0;
	#isOpen = false;
	readonly #calls = new CallsInOrder();

	constructor(options: MessagesStreamOptions) {
		this.#options = options;
	}

	/** The text to write for a batch, in one piece; empty if there is nothing to say. */
	encode(batch: readonly TurnEvent[]): string {
		let text = "";
		for (const event of this.#calls.take(batch)) text += this.#step(event);
		return text;
	}

	/** The end of a stream that failed. No `message_stop`: what came before is incomplete. */
	encodeError(error: GatewayError): string {
		return `event: error\n${dataEvent(toErrorBody(error, this.#options.requestId))}`;
	}

	/** Clients that watch for events see nothing in a comment. Before the message begins they expect no event either. */
	get keepAlive(): string {
		return this.#started ? PING : KEEP_ALIVE;
	}

	#step(event: TurnEvent): string {
		switch (event.type) {
			case "turn-start":
				this.#model = event.model;
				return "";
			case "text-delta":
				return event.text === "" ? "" : this.#onText(event.text);
			case "thinking-delta":
				return event.text === "" ? "" : this.#onThinking(event.text);
			case "text-end":
				return this.#isOpen ? this.#closeBlock() : "";
			case "thinking-end":
				return this.#onThinkingEnd(event.signature);
			case "tool-input-start":
				return this.#onCallStart(event.id, event.name);
			case "tool-input-delta":
				return event.text === "" ? "" : this.#delta(`"input_json_delta","partial_json":${jsonText(event.text)}`);
			case "tool-input-end":
				return this.#closeBlock();
			case "activity":
				return this.#started ? PING : "";
			case "usage":
				this.#usage = event.usage;
				return "";
			case "turn-end":
				return this.#onEnd(event);
			default:
				return "";
		}
	}

	#onText(text: string): string {
		return this.#ensureBlock(TEXT) + this.#delta(`"text_delta","text":${jsonText(text)}`);
	}

	#onThinking(text: string): string {
		return this.#ensureBlock(THINKING) + this.#delta(`"thinking_delta","thinking":${jsonText(text)}`);
	}

	#onThinkingEnd(signature: string | undefined): string {
		if (!this.#isOpen && !signature) return "";
		const signed = `"signature_delta","signature":${jsonText(signature || OWN_SIGNATURE)}`;
		return this.#ensureBlock(THINKING) + this.#delta(signed) + this.#closeBlock();
	}

	#onCallStart(id: string, name: string): string {
		return this.#ensureBlock(
			`"tool_use","id":${jsonText(id)},"name":${jsonText(name)},"input":{},"caller":{"type":"direct"}`,
		);
	}

	#onEnd(end: Extract<TurnEvent, { type: "turn-end" }>): string {
		const { stop_reason: reason, stop_sequence: sequence } = toMessageEnd(end);
		const delta = `{"stop_reason":"${reason}","stop_sequence":${sequence === null ? "null" : jsonText(sequence)}}`;
		const usage = JSON.stringify(toMessageUsage(this.#usage));
		const last = `event: message_delta\ndata: {"type":"message_delta","delta":${delta},"usage":${usage}}\n\n`;
		return this.#start() + last + STOP;
	}

	#ensureBlock(block: string): string {
		if (this.#isOpen) return "";
		this.#isOpen = true;
		const index = this.#blocks++;
		return `${this.#start()}event: content_block_start\ndata: {"type":"content_block_start","index":${index},"content_block":{"type":${block}}}\n\n`;
	}

	#delta(delta: string): string {
		return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#blocks - 1},"delta":{"type":${delta}}}\n\n`;
	}

	#closeBlock(): string {
		this.#isOpen = false;
		return `event: content_block_stop\ndata: {"type":"content_block_stop","index":${this.#blocks - 1}}\n\n`;
	}

	#start(): string {
		if (this.#started) return "";
		this.#started = true;
		const { id } = this.#options;
		const usage = JSON.stringify(toMessageUsage({ ...this.#usage, outputTokens: 0, reasoningTokens: 0 }));
		const message = `{"id":${jsonText(id)},"type":"message","role":"assistant","model":${jsonText(this.#model)},"content":[],"stop_reason":null,"stop_sequence":null,"usage":${usage}}`;
		return `event: message_start\ndata: {"type":"message_start","message":${message}}\n\n${PING}`;
	}
}
