import type { CollectedTurn } from "../../turn/collect.ts";
import type { EndReason } from "../../turn/event.ts";
import type { TokenUsage } from "../../turn/usage.ts";

// How a reply ends, for whole replies and streams alike.

export type StopReason = "end_turn" | "max_tokens" | "stop_sequence" | "tool_use" | "refusal";

const STOP_REASONS: Readonly<Record<EndReason, StopReason>> = {
	stop: "end_turn",
	length: "max_tokens",
	"tool-calls": "tool_use",
	refusal: "refusal",
	filtered: "refusal",
};

export interface MessageEnd {
	stop_reason: StopReason;
	stop_sequence: string | null;
}

export function toMessageEnd({ reason, stopSequence }: NonNullable<CollectedTurn["end"]>): MessageEnd {
	if (reason === "stop" && stopSequence) return { stop_reason: "stop_sequence", stop_sequence: stopSequence };
	return { stop_reason: STOP_REASONS[reason], stop_sequence: null };
}

/** Token counts in Anthropic's form, in which `input_tokens` does not include what a cache read or wrote. */
export interface MessageUsage {
	input_tokens: number;
	cache_creation_input_tokens: number;
	cache_read_input_tokens: number;
	output_tokens: number;
	output_tokens_details: { thinking_tokens: number };
	server_tool_use?: { web_search_requests: number; web_fetch_requests: number };
}

export function toMessageUsage(usage: TokenUsage, searches = 0): MessageUsage {
	const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
	return {
		input_tokens: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens),
		cache_creation_input_tokens: cacheWriteTokens,
		cache_read_input_tokens: cachedInputTokens,
		output_tokens: outputTokens,
		output_tokens_details: { thinking_tokens: reasoningTokens },
		...(searches > 0 && { server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } }),
	};
}
