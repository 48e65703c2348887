import { TextBuffer } from "../text/text-buffer.ts";
import { inSlices, type Sliced, stretches } from "../time/slices.ts";
import { COUNTED_AT_ONCE, loadTokenEstimator, TokenLimiter } from "../tokens/token-estimate.ts";

/** A token has at least one byte, and a UTF-16 unit at most three. */
const MOST_TOKENS_PER_CHARACTER = 3;

/**
 * A token limit that costs nothing as long as it is far away. The tokenizer's tables are large, and most clients set a
 * limit that no reply comes near, so the tables are only loaded when one does.
 */
export class TokenCap {
	readonly #maxTokens: number;
	readonly #passed = new TextBuffer();
	#limiter: TokenLimiter | undefined;

	constructor(maxTokens: number) {
		this.#maxTokens = maxTokens;
	}

	/** Whether this many more characters can be judged now, either without counting or in a moment. */
	isReadyFor(length: number): boolean {
		if (this.#limiter) return length <= COUNTED_AT_ONCE;
		return (this.#passed.length + length) * MOST_TOKENS_PER_CHARACTER <= this.#maxTokens;
	}

	/** Loads the tables and counts the text that has already passed. */
	async prepare(): Promise<void> {
		if (this.#limiter) return;
		const limiter = new TokenLimiter(await loadTokenEstimator(), this.#maxTokens);
		await inSlices(countedBy(limiter, [...this.#passed.parts()]));
		this.#passed.take();
		this.#limiter = limiter;
	}

	get reached(): boolean {
		return this.#limiter?.reached ?? false;
	}

	/** Adds text and returns what is certain to be within the limit. */
	push(text: string): string {
		if (this.#limiter) return this.#limiter.push(text);
		this.#passed.add(text);
		return text;
	}

	end(): string {
		return this.#limiter?.end() ?? "";
	}
}

function* countedBy(limiter: TokenLimiter, texts: readonly string[]): Sliced<void> {
	for (const text of texts) {
		for (const stretch of stretches(text, COUNTED_AT_ONCE)) {
			limiter.push(stretch);
			yield;
		}
	}
}
