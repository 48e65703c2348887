import type { ConversationStateStructure, TurnEndedUpdate } from "@cursorwire/protocol/agent";
import type { Usage } from "../../turn/usage.ts";

/**
 * Token counts of a run, response by response. The upstream counts the work of a whole run and, apart from that, how full
 * the context window is; a client wants the prompt and the answer of each response.
 */
export class UsageCount {
	readonly #estimatedInput: number;
	#responses = 0;
	/** Output since the start of the response, by the running count. */
	#output = 0;
	#reported = { output: 0, reasoning: 0 };
	#context: { used: number; limit: number } | undefined;

	constructor(estimatedInput: number) {
		this.#estimatedInput = estimatedInput;
	}

	tokens(count: number): void {
		this.#output += count;
	}

	checkpoint(state: ConversationStateStructure): void {
		const details = state.tokenDetails;
		if (details && details.usedTokens > 0) this.#context = { used: details.usedTokens, limit: details.maxTokens };
	}

	/** The counts of a response that ends in tool calls. The run goes on, so its own totals are not there yet. */
	atToolCalls(): Usage {
		const usage = this.#usage(this.#output, this.#promptTokens(this.#output), 0, 0, 0);
		this.#next(usage);
		return usage;
	}

	/** The counts of the last response of a run. */
	atEnd(ended: TurnEndedUpdate): Usage {
		const total = (value: bigint | undefined) => Number(value ?? 0n);
		const output = Math.max(
			0,
			(total(ended.outputTokens) || this.#reported.output + this.#output) - this.#reported.output,
		);
		const reasoning = Math.max(0, total(ended.reasoningTokens) - this.#reported.reasoning);
		// Over several responses the run's input adds up the same prompt again and again; the window tells the real size.
		const input =
			this.#responses === 0 ? total(ended.inputTokens) || this.#promptTokens(output) : this.#promptTokens(output);
		const usage = this.#usage(
			output,
			input,
			Math.min(input, total(ended.cacheReadTokens)),
			Math.min(input, total(ended.cacheWriteTokens)),
			Math.min(output, reasoning),
		);
		this.#next(usage);
		return usage;
	}

	#promptTokens(output: number): number {
		return this.#context ? Math.max(0, this.#context.used - output) : this.#estimatedInput;
	}

	#usage(outputTokens: number, inputTokens: number, cached: number, written: number, reasoningTokens: number): Usage {
		return {
			inputTokens,
			outputTokens,
			cachedInputTokens: cached,
			cacheWriteTokens: written,
			reasoningTokens,
			...(this.#context && { contextTokens: this.#context.used, contextLimit: this.#context.limit }),
		};
	}

	#next(usage: Usage): void {
		this.#responses += 1;
		this.#reported.output += usage.outputTokens;
		this.#reported.reasoning += usage.reasoningTokens;
		this.#output = 0;
	}
}
