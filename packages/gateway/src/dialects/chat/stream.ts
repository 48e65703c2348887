import type { GatewayError } from "../../turn/error.ts";
import type { EndReason, TurnEvent } from "../../turn/event.ts";
import { NO_TOKENS, type TokenUsage } from "../../turn/usage.ts";
import type { WebSearch } from "../../turn/web-search.ts";
import type { StreamEncoder } from "../dialect.ts";
import { CitedStream } from "../search/chat-annotations.ts";
import { CallsInOrder } from "../shared/calls-in-order.ts";
import { OpenChoices } from "../shared/open-choices.ts";
import { dataEvent, jsonText } from "../shared/sse-text.ts";
import { toErrorBody } from "./errors.ts";
import { toCompletionUsage, toFinishReason } from "./finish.ts";

export interface ChatStreamOptions {
	id: string;
	/** Seconds since 1970. */
	created: number;
	includeUsage: boolean;
	legacyFunctions: boolean;
	choiceIndex: number;
	/** For several choices in one stream, the same object for each. */
	choices?: OpenChoices;
}

const DONE = "data: [DONE]\n\n";
const CHUNK_END = '},"finish_reason":null}]}\n\n';

/**
 * The events of one turn as the chunks of one choice. Chunks are made from a template in which only the text is
 * encoded; the first one that says something names the role, so nothing is written before there is something to say.
 */
export class ChatStreamEncoder implements StreamEncoder {
	readonly #options: ChatStreamOptions;
	readonly #choices: OpenChoices;
	/** A chunk up to the list of choices, and up to the inside of its delta; known once the turn has started. */
	#head = "";
	#delta = "";
	#role = '"role":"assistant",';
	#usage: TokenUsage = NO_TOKENS;
	readonly #inOrder = new CallsInOrder();
	/** Characters of text so far. */
	#length = 0;
	/** From the first search on. */
	#cited: CitedStream | undefined;
	/** How many calls have begun; the last one is the one that deltas belong to. */
	#calls = 0;

	constructor(options: ChatStreamOptions) {
		this.#options = options;
		this.#choices = options.choices ?? new OpenChoices(1);
	}

	/** The text to write for a batch, in one piece; empty if there is nothing to say. */
	encode(batch: readonly TurnEvent[]): string {
		let text = "";
		for (const event of this.#inOrder.take(batch)) text += this.#step(event);
		return text;
	}

	/** The end of a stream that failed. No `[DONE]`: what came before is incomplete. */
	encodeError(error: GatewayError): string {
		return dataEvent(toErrorBody(error));
	}

	#step(event: TurnEvent): string {
		switch (event.type) {
			case "turn-start":
				return this.#onStart(event.model);
			case "text-delta":
				this.#length += event.text.length;
				this.#cited?.said(event.text);
				return this.#chunk(`"content":${jsonText(event.text)}`);
			case "web-search":
				return this.#onSearch(event.search);
			case "thinking-delta":
				return this.#onThinking(event.text);
			case "tool-input-start":
				return this.#onCallStart(event.id, event.name);
			case "tool-input-delta":
				return this.#onCallDelta(event.text);
			case "usage":
				this.#usage = event.usage;
				return "";
			case "turn-end":
				return this.#onEnd(event.reason);
			default:
				return "";
		}
	}

	#onStart(model: string): string {
		const { id, created, choiceIndex } = this.#options;
		this.#head = `data: {"id":${jsonText(id)},"object":"chat.completion.chunk","created":${created},"model":${jsonText(model)},"choices":[`;
		this.#delta = `${this.#head}{"index":${choiceIndex},"delta":{`;
		return "";
	}

	#chunk(delta: string): string {
		const role = this.#role;
		this.#role = "";
		return this.#delta + role + delta + CHUNK_END;
	}

	#onThinking(text: string): string {
		const json = jsonText(text);
		return this.#chunk(`"reasoning_content":${json},"reasoning":${json}`);
	}

	#onCallStart(id: string, name: string): string {
		const index = this.#calls++;
		const call = `{"name":${jsonText(name)},"arguments":""}`;
		if (!this.#options.legacyFunctions) {
			return this.#chunk(`"tool_calls":[{"index":${index},"id":${jsonText(id)},"type":"function","function":${call}}]`);
		}
		return index === 0 ? this.#chunk(`"function_call":${call}`) : "";
	}

	#onCallDelta(text: string): string {
		const index = this.#calls - 1;
		const call = `{"arguments":${jsonText(text)}}`;
		if (!this.#options.legacyFunctions) return this.#chunk(`"tool_calls":[{"index":${index},"function":${call}}]`);
		return index === 0 ? this.#chunk(`"function_call":${call}`) : "";
	}

	#onSearch({ results }: WebSearch): string {
		this.#cited ??= new CitedStream(this.#length);
		this.#cited.found(results);
		return "";
	}

	#onEnd(reason: EndReason): string {
		const annotations = this.#cited?.annotations() ?? [];
		const cited = annotations.length === 0 ? "" : this.#chunk(`"annotations":${JSON.stringify(annotations)}`);
		const role = this.#role && '"role":"assistant","content":""';
		const finish = toFinishReason(reason, this.#options.legacyFunctions);
		const usages = this.#choices.end(this.#usage);
		return `${cited}${this.#delta}${role}},"finish_reason":"${finish}"}]}\n\n${usages ? this.#close(usages) : ""}`;
	}

	#close(usages: readonly TokenUsage[]): string {
		if (!this.#options.includeUsage) return DONE;
		return `${this.#head}],"usage":${JSON.stringify(toCompletionUsage(usages))}}\n\n${DONE}`;
	}
}
