import type { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { NO_TOKENS, type TokenUsage } from "../../turn/usage.ts";
import { type FinishReason, toCompletionUsage, toFinishReason } from "../chat/finish.ts";
import type { StreamEncoder } from "../dialect.ts";
import type { OpenChoices } from "../shared/open-choices.ts";
import { toOpenaiErrorBody } from "../shared/openai-errors.ts";
import { dataEvent, jsonText } from "../shared/sse-text.ts";

export interface CompletionStreamOptions {
	id: string;
	/** Seconds since 1970. */
	created: number;
	includeUsage: boolean;
	choiceIndex: number;
	/** The same object for each choice of the stream. */
	choices: OpenChoices;
}

const DONE = "data: [DONE]\n\n";

/** The text of one turn as the chunks of one choice. */
export class CompletionStreamEncoder implements StreamEncoder {
	readonly #options: CompletionStreamOptions;
	/** A chunk up to the list of choices; known when the turn starts and names its model. */
	#head = "";
	#usage: TokenUsage = NO_TOKENS;

	constructor(options: CompletionStreamOptions) {
		this.#options = options;
	}

	/** The text to write for a batch, in one piece; empty if there is nothing to say. */
	encode(batch: readonly TurnEvent[]): string {
		let text = "";
		for (const event of batch) {
			if (event.type === "turn-start") this.#head = this.#headOf(event.model);
			else if (event.type === "text-delta") text += this.#chunk(event.text, null);
			else if (event.type === "usage") this.#usage = event.usage;
			else if (event.type === "turn-end") text += this.#end(toFinishReason(event.reason, false));
		}
		return text;
	}

	/** The end of a stream that failed. No `[DONE]`: what came before is incomplete. */
	encodeError(error: GatewayError): string {
		return dataEvent(toOpenaiErrorBody(error));
	}

	#headOf(model: string): string {
		const { id, created } = this.#options;
		return `data: {"id":${jsonText(id)},"object":"text_completion","created":${created},"model":${jsonText(model)},"choices":[`;
	}

	#chunk(text: string, finish: FinishReason | null): string {
		const { choiceIndex } = this.#options;
		const reason = JSON.stringify(finish);
		return `${this.#head}{"index":${choiceIndex},"text":${jsonText(text)},"logprobs":null,"finish_reason":${reason}}]}\n\n`;
	}

	#end(finish: FinishReason): string {
		const { choices, includeUsage } = this.#options;
		const usages = choices.end(this.#usage);
		const last = this.#chunk("", finish);
		if (!usages) return last;
		const usage = includeUsage ? `${this.#head}],"usage":${JSON.stringify(toCompletionUsage(usages))}}\n\n` : "";
		return last + usage + DONE;
	}
}
