import type { Usage } from "../turn/usage.ts";

/** Near enough where the upstream counts nothing. */
const BYTES_PER_TOKEN = 4;

/** Token counts of protocols that tell at most how full the context window is: the rest is estimated. */
export class ChatUsage {
	readonly #estimatedInput: number;
	#textBytes = 0;
	#thinkingBytes = 0;
	#context: { used: number; limit: number } | undefined;

	constructor(estimatedInput: number) {
		this.#estimatedInput = estimatedInput;
	}

	said(block: "text" | "thinking", bytes: number): void {
		if (block === "text") this.#textBytes += bytes;
		else this.#thinkingBytes += bytes;
	}

	/** What the server says of the window. */
	window(used: number, limit: number): void {
		if (used > 0) this.#context = { used, limit };
	}

	/** The counts of a response; the next one starts from nothing. */
	take(): Usage {
		const reasoningTokens = Math.ceil(this.#thinkingBytes / BYTES_PER_TOKEN);
		const outputTokens = Math.ceil(this.#textBytes / BYTES_PER_TOKEN) + reasoningTokens;
		this.#textBytes = 0;
		this.#thinkingBytes = 0;
		return {
			inputTokens: this.#context ? Math.max(0, this.#context.used - outputTokens) : this.#estimatedInput,
			outputTokens,
			cachedInputTokens: 0,
			cacheWriteTokens: 0,
			reasoningTokens,
			...(this.#context && { contextTokens: this.#context.used, contextLimit: this.#context.limit }),
		};
	}
}
