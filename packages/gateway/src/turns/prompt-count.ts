import { inSlices } from "../time/slices.ts";
import { countInputTokens, countMessages } from "../tokens/prompt-tokens.ts";
import { loadTokenEstimator } from "../tokens/token-estimate.ts";
import type { TurnRequest } from "../turn/request.ts";
import type { FoundContext } from "./context-memory.ts";

/** The number of tokens in the prompt of a request, counted once, and only when it is needed. */
export class PromptCount {
	readonly request: TurnRequest;
	/** What is known of the previous reply when this request continues one. Only the new messages are counted then. */
	readonly earlier: FoundContext | undefined;
	#counting: Promise<void> | undefined;
	#tokens: number | undefined;

	constructor(request: TurnRequest, earlier: FoundContext | undefined) {
		this.request = request;
		this.earlier = earlier;
	}

	/** Undefined until `count` has resolved. */
	get tokens(): number | undefined {
		return this.#tokens;
	}

	count(): Promise<void> {
		this.#counting ??= this.#count();
		return this.#counting;
	}

	async #count(): Promise<void> {
		const { request, earlier } = this;
		const estimator = await loadTokenEstimator();
		this.#tokens = earlier
			? earlier.contextTokens + (await inSlices(countMessages(request.messages.slice(earlier.addedFrom), estimator)))
			: await inSlices(countInputTokens(request, estimator));
	}
}
