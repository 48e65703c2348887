import type { RunWork, ToldUsage } from "../../turn/told-usage.ts";

/** Collects what the server reports about token usage, one reply after another. */
export class ToldResponse {
	/** Output of the reply so far, in tokens as counted by the server and in bytes. */
	#tokens = 0;
	#bytes = 0;
	/** The latest report on the model's context window, and how much output there was at that time. */
	#window: { used: number; tokens: number; bytes: number } | undefined;

	/** Adds to the tokens of output. */
	tokens(count: number): void {
		this.#tokens += count;
	}

	said(bytes: number): void {
		this.#bytes += bytes;
	}

	/** How full the model's context window is now. */
	window(used: number): void {
		if (used > 0) this.#window = { used, tokens: this.#tokens, bytes: this.#bytes };
	}

	/** Tool results go to the model now, so earlier reports on the window do not include them. */
	resultsGiven(): void {
		this.#window = undefined;
	}

	/** Returns what was reported for this reply, and resets everything for the next one. */
	take(run?: RunWork): ToldUsage {
		const window = this.#window;
		const told: ToldUsage = {
			...(this.#tokens > 0 && { outputTokens: this.#tokens }),
			...(window && { context: { tokens: window.used, outputShare: this.#shareAt(window) } }),
			...(run && { run }),
		};
		this.#tokens = 0;
		this.#bytes = 0;
		this.#window = undefined;
		return told;
	}

	#shareAt({ tokens, bytes }: { tokens: number; bytes: number }): number {
		if (this.#tokens > 0) return tokens / this.#tokens;
		return this.#bytes > 0 ? bytes / this.#bytes : 0;
	}
}
