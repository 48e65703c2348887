/** What Cursor reported about the tokens of a reply. What it did not report is undefined. */
export interface ToldUsage {
	/** Output tokens of this reply so far. */
	outputTokens?: number;
	context?: ToldContext;
	/** Reported with the last reply of a run. */
	run?: RunWork;
	/** Text that the model wrote in attempts that the client never sees. */
	unseen?: readonly string[];
}

/** How many tokens of the context window were in use at some moment of the reply. */
interface ToldContext {
	tokens: number;
	/** How much of the reply's output that includes, from 0 to 1. */
	outputShare: number;
}

/** The token counts of a whole run, which may span several replies. */
export interface RunWork {
	/** True if the model was called once. Otherwise `inputTokens` counts the prompt of every call. */
	isOnePrompt: boolean;
	/** Cached tokens included. */
	inputTokens: number;
	cachedTokens: number;
	cacheWriteTokens: number;
	/** Thinking included. */
	outputTokens: number;
	reasoningTokens: number;
}

/** Combines two attempts at one reply: the prompt counts once, the output of both counts. */
export function withEarlierAttempt(before: ToldUsage, last: ToldUsage): ToldUsage {
	const outputTokens = (before.outputTokens ?? 0) + (last.outputTokens ?? 0);
	const { run } = last;
	return {
		...last,
		...(outputTokens > 0 && { outputTokens }),
		...(run && {
			run: {
				...run,
				outputTokens: run.outputTokens + (before.run?.outputTokens ?? 0),
				reasoningTokens: run.reasoningTokens + (before.run?.reasoningTokens ?? 0),
			},
		}),
		...(before.unseen && { unseen: before.unseen }),
	};
}
