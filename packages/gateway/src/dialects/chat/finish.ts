import type { EndReason } from "../../turn/event.ts";
import type { TokenUsage } from "../../turn/usage.ts";

// How a reply ends, for whole replies and streams alike.

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "function_call";

const FINISH_REASONS: Readonly<Record<EndReason, FinishReason>> = {
	stop: "stop",
	length: "length",
	"tool-calls": "tool_calls",
	refusal: "content_filter",
	filtered: "content_filter",
};

export function toFinishReason(reason: EndReason, legacyFunctions: boolean): FinishReason {
	return reason === "tool-calls" && legacyFunctions ? "function_call" : FINISH_REASONS[reason];
}

/** Token counts in OpenAI's form. */
export interface CompletionUsage {
	prompt_tokens: number;
	completion_tokens: number;
	total_tokens: number;
	prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number };
	completion_tokens_details: { reasoning_tokens: number };
}

/** The counts of all choices of a request. As in the API, the prompt counts once and the replies are added up. */
export function toCompletionUsage(usages: readonly TokenUsage[]): CompletionUsage {
	const input = usages.reduce((most, usage) => (usage.inputTokens > most.inputTokens ? usage : most));
	const output = sum(usages, "outputTokens");
	return {
		prompt_tokens: input.inputTokens,
		completion_tokens: output,
		total_tokens: input.inputTokens + output,
		prompt_tokens_details: { cached_tokens: input.cachedInputTokens, cache_write_tokens: input.cacheWriteTokens },
		completion_tokens_details: { reasoning_tokens: sum(usages, "reasoningTokens") },
	};
}

function sum(usages: readonly TokenUsage[], field: "outputTokens" | "reasoningTokens"): number {
	return usages.reduce((total, usage) => total + usage[field], 0);
}
