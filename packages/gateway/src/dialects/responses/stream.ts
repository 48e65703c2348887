import { weight } from "../../text/json-pieces.ts";
import { type StreamText, StreamTextBuilder } from "../../text/stream-text.ts";
import { TextBuffer } from "../../text/text-buffer.ts";
import { SLICE_LENGTH } from "../../time/slices.ts";
import type { GatewayError } from "../../turn/error.ts";
import type { EndReason, TurnEvent } from "../../turn/event.ts";
import { NO_TOKENS, type TokenUsage } from "../../turn/usage.ts";
import type { StreamEncoder } from "../dialect.ts";
import { CallsInOrder } from "../shared/calls-in-order.ts";
import { dataEvent, dataEventPieces, jsonText } from "../shared/sse-text.ts";
import { type ResponseObject, type ResponsesReplyOptions, repliedBy, toResponse } from "./encode.ts";
import { isFailureOfResponse, toErrorEvent, toResponseError } from "./errors.ts";
import { toEnding, toResponseUsage } from "./finish.ts";
import { callDraft, type ItemDraft, type OutputItem, reasoningDraft, textDraft } from "./items.ts";
import { ITEM_EVENTS, type ItemEvents } from "./stream-items.ts";

export interface ResponsesStreamOptions extends ResponsesReplyOptions {
	/** Sees the response when it is complete, before the client does. */
	ended?(response: ResponseObject): void;
}

/** An item that deltas are added to. */
interface OpenItem {
	draft: ItemDraft;
	events: ItemEvents;
	/** Which item an event is about. */
	place: { item_id: string; output_index: number };
	/** A delta before and after its number, up to its text. */
	deltaHead: string;
	deltaTail: string;
	text: TextBuffer;
}

/**
 * The events of one turn as the events of one response. Deltas are made from a template in which only the text is
 * encoded. Nothing is written before there is something to say. Items follow each other: at most one is open. The API
 * repeats the whole text of an item four times after its deltas; a long one is written piece by piece.
 */
export class ResponsesStreamEncoder implements StreamEncoder {
	#options: ResponsesStreamOptions;
	/** Finished and open items, by their place in the reply. */
	readonly #items: (OutputItem | OpenItem)[] = [];
	readonly #calls = new CallsInOrder();
	#current: OpenItem | undefined;
	readonly #said = new StreamTextBuilder();
	#sequence = 0;
	#usage: TokenUsage = NO_TOKENS;

	constructor(options: ResponsesStreamOptions) {
		this.#options = options;
	}

	/** The text to write for a batch; empty if there is nothing to say. */
	encode(batch: readonly TurnEvent[]): StreamText {
		for (const event of this.#calls.take(batch)) this.#step(event);
		return this.#said.take();
	}

	/**
	 * The end of a stream that failed. What was open stays open: it is incomplete. Many clients know only one of the two
	 * events; OpenAI's own library throws for `error` and takes a failed response for a reply like any other.
	 */
	encodeError(error: GatewayError): StreamText {
		this.#begin();
		this.#event("error", toErrorEvent(error));
		this.#whole("response.failed", { status: "failed", error: toResponseError(error) });
		return this.#said.take();
	}

	failsInside(error: GatewayError): boolean {
		return isFailureOfResponse(error);
	}

	#step(event: TurnEvent): void {
		switch (event.type) {
			case "turn-start":
				this.#options = repliedBy(event.model, this.#options);
				return;
			case "text-delta":
				return this.#onBlockDelta(event.text, textDraft);
			case "thinking-delta":
				return this.#onBlockDelta(event.text, reasoningDraft);
			case "tool-input-start":
				return this.#open(callDraft(this.#items.length, event.id, event.name, this.#options));
			case "tool-input-delta":
				return this.#delta(event.text);
			case "text-end":
			case "thinking-end":
			case "tool-input-end":
				return this.#close();
			case "usage":
				this.#usage = event.usage;
				return;
			case "turn-end":
				return this.#onEnd(event.reason);
			default:
				return;
		}
	}

	/** An empty block must leave no item behind, so its first text opens it. */
	#onBlockDelta(text: string, draftOf: typeof textDraft): void {
		if (text === "") return;
		if (!this.#current) this.#open(draftOf(this.#items.length, this.#options));
		this.#delta(text);
	}

	#onEnd(reason: EndReason): void {
		const ending = toEnding(reason);
		this.#begin();
		this.#whole(`response.${ending.status}`, { ...ending, completed_at: this.#options.now() });
	}

	/** What every response begins with. It is written late, because an error before it can still have its own status. */
	#begin(): void {
		if (this.#sequence > 0) return;
		const response = toResponse(this.#options, { status: "in_progress" });
		this.#event("response.created", { response });
		this.#event("response.in_progress", { response });
	}

	#open(draft: ItemDraft): void {
		const item = draft("", "in_progress");
		const events = ITEM_EVENTS[item.type];
		const place = { item_id: item.id, output_index: this.#items.length };
		const fields = JSON.stringify({ ...place, ...events.deltaFields });
		const open: OpenItem = {
			...{ draft, events, place, text: new TextBuffer() },
			deltaHead: `event: ${events.delta}\ndata: {"type":"${events.delta}","sequence_number":`,
			deltaTail: `,${fields.slice(1, -1)},"delta":`,
		};
		this.#items.push(open);
		this.#current = open;
		this.#begin();
		this.#event("response.output_item.added", { output_index: place.output_index, item });
		for (const { type, ...rest } of events.opening) this.#event(type, { ...place, ...rest });
	}

	#delta(text: string): void {
		const open = this.#current;
		if (!open || text === "") return;
		open.text.add(text);
		if (!open.events.delta) return;
		this.#said.add(`${open.deltaHead}${this.#sequence++}${open.deltaTail}${jsonText(text)}}\n\n`);
	}

	#close(): void {
		const open = this.#current;
		if (!open) return;
		this.#current = undefined;
		const item = open.draft(open.text.take(), "completed");
		const { output_index } = open.place;
		this.#items[output_index] = item;
		for (const { type, ...rest } of open.events.closing(item)) this.#event(type, { ...open.place, ...rest });
		this.#event("response.output_item.done", { output_index, item });
	}

	/** The last event, with everything in it. */
	#whole(type: string, state: Pick<ResponseObject, "status"> & Partial<ResponseObject>): void {
		const output = this.#items.map((item) => ("draft" in item ? item.draft(item.text.toString(), "incomplete") : item));
		const response = toResponse(this.#options, { ...state, output, usage: toResponseUsage(this.#usage) });
		if (response.status !== "failed") this.#options.ended?.(response);
		this.#event(type, { response });
	}

	#event(type: string, fields: object): void {
		const value = { type, sequence_number: this.#sequence++, ...fields };
		this.#said.add(`event: ${type}\n`);
		if (weight(value, SLICE_LENGTH) <= SLICE_LENGTH) this.#said.add(dataEvent(value));
		else this.#said.addLong(dataEventPieces(value));
	}
}
