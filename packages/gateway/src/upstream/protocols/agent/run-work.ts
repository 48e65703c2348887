import type { TurnEndedUpdate } from "@cursorwire/protocol/agent";
import type { RunWork } from "../../../turn/told-usage.ts";

/** Whether Cursor's count of input tokens includes those that were read from a cache or written to one. */
export type CacheTokens = "included" | "added";

/** The counts that come with the end of a turn. What was not counted is 0. */
export interface EndCounts {
	inputTokens: number;
	outputTokens: number;
	cacheReadTokens: number;
	cacheWriteTokens: number;
	reasoningTokens: number;
}

export function endCounts(ended: TurnEndedUpdate): EndCounts {
	return {
		inputTokens: Number(ended.inputTokens ?? 0n),
		outputTokens: Number(ended.outputTokens ?? 0n),
		cacheReadTokens: Number(ended.cacheReadTokens ?? 0n),
		cacheWriteTokens: Number(ended.cacheWriteTokens ?? 0n),
		reasoningTokens: Number(ended.reasoningTokens ?? 0n),
	};
}

/** The totals of a run as Cursor told them; undefined where it told none. */
export function runWork(ended: EndCounts, isOnePrompt: boolean, wanted: CacheTokens): RunWork | undefined {
	const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = ended;
	const cache = cacheReadTokens + cacheWriteTokens;
	if (inputTokens + outputTokens + cache === 0) return undefined;
	// More than the whole cannot be a part of it.
	const isAdded = wanted === "added" || cache > inputTokens;
	return {
		isOnePrompt,
		inputTokens: isAdded ? inputTokens + cache : inputTokens,
		cachedTokens: cacheReadTokens,
		cacheWriteTokens,
		outputTokens,
		reasoningTokens,
	};
}
