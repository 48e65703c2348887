import { inSlices } from "../../time/slices.ts";
import { type Soon, soon } from "../../time/soon.ts";
import { type PromptLengths, promptLengths } from "../../tokens/prompt-length.ts";
import { countInputTokens, countMessages, countShortPrompt } from "../../tokens/prompt-tokens.ts";
import { loadTokenEstimator, type TokenEstimator } from "../../tokens/token-estimate.ts";
import type { TurnRequest } from "../../turn/request.ts";
import type { FoundContext, LeftContext } from "./context-memory.ts";

/** The number of tokens in the prompt of a request, counted once, and only when it is needed. */
export class PromptCount {
	readonly request: TurnRequest;
	#earlier: FoundContext | undefined;
	#counting: Soon<void> = undefined;
	#tokens: number | undefined;
	#lengths: PromptLengths | undefined;

	constructor(request: TurnRequest, earlier: FoundContext | undefined) {
		this.request = request;
		this.#earlier = earlier;
	}

	/** What is known of the previous reply when this request continues one. Only the new messages are counted then. */
	get earlier(): FoundContext | undefined {
		return this.#earlier;
	}

	/** The previous reply went through another gateway. */
	learn(earlier: LeftContext): void {
		const addedFrom = this.request.messages.findLastIndex(({ role }) => role === "assistant") + 1;
		this.#earlier ??= { ...earlier, addedFrom };
	}

	/** Undefined until they have been counted. */
	get tokens(): number | undefined {
		return this.#tokens;
	}

	/** Its parts in characters, measured once. */
	get lengths(): PromptLengths {
		this.#lengths ??= promptLengths(this.request);
		return this.#lengths;
	}

	count(): Soon<void> {
		if (this.#tokens === undefined)
			this.#counting ??= soon(loadTokenEstimator(), (estimator) => this.#count(estimator));
		return this.#counting;
	}

	#count(estimator: TokenEstimator): Soon<void> {
		const { request, earlier } = this;
		if (!earlier) this.#tokens = countShortPrompt(request, estimator);
		if (this.#tokens !== undefined) return;
		const counting = earlier
			? inSlices(countMessages(request.messages.slice(earlier.addedFrom), estimator))
			: inSlices(countInputTokens(request, estimator));
		return soon(counting, (tokens) => {
			this.#tokens = (earlier?.contextTokens ?? 0) + tokens;
		});
	}
}
