import { TextBuffer } from "../text/text-buffer.ts";
import type { Sliced } from "../time/slices.ts";
import type { TurnEvent } from "../turn/event.ts";
import { callText, TOOL_TOKENS } from "./prompt-tokens.ts";
import { countShortTexts, countTexts, type TokenEstimator } from "./token-estimate.ts";

/** The estimated tokens of a reply. */
export interface SaidTokens {
	textTokens: number;
	thinkingTokens: number;
	callTokens: number;
}

/** Of a longer text only this much is kept and counted, and the rest is estimated from it. */
const KEPT_LENGTH = 1 << 16;
/** How many characters are enough to tell two replies apart. */
const HEAD_LENGTH = 200;
/** How much of a reply is searched for its first characters behind leading space. */
const SEARCHED_LENGTH = 1_024;

/** Collects the text of a reply, so that its tokens can be estimated if Cursor does not report them. */
export class SaidText {
	readonly #text = new KeptText();
	/** Made when there is something to keep. */
	#thinking: KeptText | undefined;
	#calls: KeptText | undefined;
	readonly #callIds: string[] = [];

	add(event: TurnEvent): void {
		switch (event.type) {
			case "text-delta":
				return this.#text.add(event.text);
			case "thinking-delta":
				this.#thinking ??= new KeptText();
				return this.#thinking.add(event.text);
			case "tool-call":
				this.#callIds.push(event.id);
				this.#calls ??= new KeptText();
				return this.#calls.add(callText(event.name, event.arguments));
		}
	}

	/** In characters. Thinking does not count, because it is not sent again. */
	get length(): number {
		return this.#text.length + (this.#calls?.length ?? 0);
	}

	/** In characters, with the thinking. */
	get spokenLength(): number {
		return this.length + (this.#thinking?.length ?? 0);
	}

	/** What identifies the reply when it comes back in the history of the next request. */
	get name(): string | undefined {
		return replyName(this.#callIds, this.#text.head());
	}

	/** The same figures as `count` has, at once; undefined if the reply is not short. */
	countShort(estimator: TokenEstimator, unseen: readonly string[] = []): SaidTokens | undefined {
		const textTokens = this.#text.countShort(estimator);
		const thinkingTokens = this.#thinking ? this.#thinking.countShort(estimator) : 0;
		const callTokens = this.#calls ? this.#calls.countShort(estimator) : 0;
		if (unseen.length > 0 || textTokens === undefined || thinkingTokens === undefined || callTokens === undefined) {
			return undefined;
		}
		return { textTokens, thinkingTokens, callTokens: callTokens + this.#callIds.length * TOOL_TOKENS };
	}

	/** `unseen`: texts of earlier attempts that the client did not see but that count too. */
	*count(estimator: TokenEstimator, unseen: readonly string[] = []): Sliced<SaidTokens> {
		return {
			textTokens: (yield* this.#text.count(estimator)) + (yield* countTexts(unseen, estimator)),
			thinkingTokens: yield* countKept(this.#thinking, estimator),
			callTokens: (yield* countKept(this.#calls, estimator)) + this.#callIds.length * TOOL_TOKENS,
		};
	}
}

/** The ids of a reply's calls, or the beginning of its text. Leading space is ignored, because clients may trim it. */
export function replyName(callIds: readonly string[], text: string): string | undefined {
	return callIds.length > 0 ? callIds.join() : text.trimStart().slice(0, HEAD_LENGTH) || undefined;
}

function* countKept(kept: KeptText | undefined, estimator: TokenEstimator): Sliced<number> {
	return kept ? yield* kept.count(estimator) : 0;
}

class KeptText {
	readonly #kept = new TextBuffer();
	length = 0;

	add(text: string): void {
		this.length += text.length;
		if (this.#kept.length < KEPT_LENGTH) this.#kept.add(text);
	}

	head(): string {
		return this.#kept.head(SEARCHED_LENGTH);
	}

	countShort(estimator: TokenEstimator): number | undefined {
		return countShortTexts(this.#kept.parts(), estimator);
	}

	*count(estimator: TokenEstimator): Sliced<number> {
		if (this.length === 0) return 0;
		const tokens = yield* countTexts(this.#kept.parts(), estimator);
		return Math.round((tokens / this.#kept.length) * this.length);
	}
}
