import type { RunWork, ToldUsage } from "../../turn/told-usage.ts";

/** Gathers what the server tells of the tokens of one response after the other. */
export class ToldResponse {
	/** Output of the response by the server's running count, and in bytes. */
	#tokens = 0;
	#bytes = 0;
	/** The newest word on the model's window, and how much of the output had been there then. */
	#window: { used: number; tokens: number; bytes: number } | undefined;

	/** So many more tokens of output. */
	tokens(count: number): void {
		this.#tokens += count;
	}

	said(bytes: number): void {
		this.#bytes += bytes;
	}

	/** How full the model's window is now. */
	window(used: number): void {
		if (used > 0) this.#window = { used, tokens: this.#tokens, bytes: this.#bytes };
	}

	/** Results of tools go to the model: what was told of the window before lacks them. */
	resultsGiven(): void {
		this.#window = undefined;
	}

	/** What was told of the response; the next one starts from nothing. */
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
