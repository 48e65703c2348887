import type { EndReason } from "../../turn/event.ts";
import type { TokenUsage } from "../../turn/usage.ts";

// How a reply ends, for whole replies and streams alike.

export interface Ending {
	status: "completed" | "incomplete";
	incomplete_details: { reason: "max_output_tokens" | "content_filter" } | null;
}

const COMPLETED: Ending = { status: "completed", incomplete_details: null };
const FILTERED: Ending = { status: "incomplete", incomplete_details: { reason: "content_filter" } };

const ENDINGS: Readonly<Record<EndReason, Ending>> = {
	stop: COMPLETED,
	"tool-calls": COMPLETED,
	length: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
	refusal: FILTERED,
	filtered: FILTERED,
};

export function toEnding(reason: EndReason): Ending {
	return ENDINGS[reason];
}

/** Token counts in the form of this API. */
export interface ResponseUsage {
	input_tokens: number;
	input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
	output_tokens: number;
	output_tokens_details: { reasoning_tokens: number };
	total_tokens: number;
}

export function toResponseUsage(usage: TokenUsage): ResponseUsage {
	return {
		input_tokens: usage.inputTokens,
		input_tokens_details: { cached_tokens: usage.cachedInputTokens, cache_write_tokens: usage.cacheWriteTokens },
		output_tokens: usage.outputTokens,
		output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
		total_tokens: usage.inputTokens + usage.outputTokens,
	};
}
