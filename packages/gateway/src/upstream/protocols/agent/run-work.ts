import type { TurnEndedUpdate } from "@cursorwire/protocol/agent";
import type { RunWork } from "../../../turn/told-usage.ts";

/** Whether Cursor's count of input tokens includes those that were read from a cache or written to one. */
export type CacheTokens = "included" | "added";

/** The totals of a run as Cursor told them; undefined where it told none. */
export function runWork(ended: TurnEndedUpdate, isOnePrompt: boolean, wanted: CacheTokens): RunWork | undefined {
	const count = (value: bigint | undefined) => Number(value ?? 0n);
	const counted = count(ended.inputTokens);
	const cachedTokens = count(ended.cacheReadTokens);
	const cacheWriteTokens = count(ended.cacheWriteTokens);
	const outputTokens = count(ended.outputTokens);
	const cache = cachedTokens + cacheWriteTokens;
	if (counted + outputTokens + cache === 0) return undefined;
	// More than the whole cannot be a part of it.
	const isAdded = wanted === "added" || cache > counted;
	return {
		isOnePrompt,
		inputTokens: isAdded ? counted + cache : counted,
		cachedTokens,
		cacheWriteTokens,
		outputTokens,
		reasoningTokens: count(ended.reasoningTokens),
	};
}
