/** What the upstream said about the tokens of a response. What it did not say is not there. */
export interface ToldUsage {
	/** Output of this response, by a running count. */
	outputTokens?: number;
	context?: ToldContext;
	/** Told with the last response of a run. */
	run?: RunWork;
	/** What the model wrote for nobody: attempts that the client does not get to see. */
	unseen?: readonly string[];
}

/** How full the model's window was at a moment of the response. */
interface ToldContext {
	tokens: number;
	/** How much of the response's output it includes, from 0 to 1. */
	outputShare: number;
}

/** The work of a whole run, which may span several responses. */
export interface RunWork {
	/** The model was asked once. Otherwise the input holds its prompt as often as it was asked. */
	isOnePrompt: boolean;
	/** Cached tokens included. */
	inputTokens: number;
	cachedTokens: number;
	cacheWriteTokens: number;
	/** Thinking included. */
	outputTokens: number;
	reasoningTokens: number;
}

/** Two attempts at one response: one prompt, and all that was said to it. */
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
