/** The token counts of a reply, as clients get them. The two totals include the parts listed below them. */
export interface TokenUsage {
	/** Tokens of the prompt, cached ones included. */
	inputTokens: number;
	/** Tokens of the reply, thinking included. */
	outputTokens: number;
	/** Part of `inputTokens` that was read from a cache. */
	cachedInputTokens: number;
	/** Part of `inputTokens` that was written to a cache. */
	cacheWriteTokens: number;
	/** Part of `outputTokens` that was thinking. */
	reasoningTokens: number;
}

export const NO_TOKENS: TokenUsage = {
	inputTokens: 0,
	outputTokens: 0,
	cachedInputTokens: 0,
	cacheWriteTokens: 0,
	reasoningTokens: 0,
};
