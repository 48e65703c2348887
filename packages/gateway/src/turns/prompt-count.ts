import { inSlices } from "../time/slices.ts";
import { countInputTokens, countMessages } from "../tokens/prompt-tokens.ts";
import { loadTokenEstimator } from "../tokens/token-estimate.ts";
import type { TurnRequest } from "../turn/request.ts";
import type { FoundContext } from "./context-memory.ts";

/** How many tokens the prompt of a request has, counted once and only where somebody asks. */
export class PromptCount {
	readonly request: TurnRequest;
	/** The response before, where this request goes on from one: only what was added is counted then. */
	readonly earlier: FoundContext | undefined;
	#counting: Promise<void> | undefined;
	#tokens: number | undefined;

	constructor(request: TurnRequest, earlier: FoundContext | undefined) {
		this.request = request;
		this.earlier = earlier;
	}

	/** Undefined until it is counted. */
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
