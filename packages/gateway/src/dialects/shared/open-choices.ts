import type { TokenUsage } from "../../turn/usage.ts";

/** The choices that share a stream: the last one to end closes it. */
export class OpenChoices {
	readonly #usages: TokenUsage[] = [];
	readonly #count: number;

	constructor(count: number) {
		this.#count = count;
	}

	/** The token counts of all choices once the last of them has ended. */
	end(usage: TokenUsage): readonly TokenUsage[] | undefined {
		if (this.#count === 1) return [usage];
		this.#usages.push(usage);
		return this.#usages.length === this.#count ? this.#usages : undefined;
	}
}
