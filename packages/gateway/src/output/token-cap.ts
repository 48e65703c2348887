import { TextBuffer } from "../text/text-buffer.ts";
import { inSlices, type Sliced, stretches } from "../time/slices.ts";
import { COUNTED_AT_ONCE, loadTokenEstimator, TokenLimiter } from "../tokens/token-estimate.ts";

/** A token has at least one byte, and a UTF-16 unit at most three. */
const MOST_TOKENS_PER_CHARACTER = 3;

/**
 * A limit of tokens that costs nothing far from it. The tables to count with are large; most clients set a limit that
 * no answer ever comes near, so they are loaded only when one does.
 */
export class TokenCap {
	readonly #maxTokens: number;
	readonly #passed = new TextBuffer();
	#limiter: TokenLimiter | undefined;

	constructor(maxTokens: number) {
		this.#maxTokens = maxTokens;
	}

	/** Whether so many more characters can be judged at once: without counting, or in a moment. */
	isReadyFor(length: number): boolean {
		if (this.#limiter) return length <= COUNTED_AT_ONCE;
		return (this.#passed.length + length) * MOST_TOKENS_PER_CHARACTER <= this.#maxTokens;
	}

	/** Gets ready to count. What has passed is counted as passed. */
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

	/** The part of the text that lies within the limit, as far as that is certain. */
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
