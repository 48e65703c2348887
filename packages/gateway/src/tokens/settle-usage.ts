import type { RunWork, ToldUsage } from "../turn/told-usage.ts";
import type { TokenUsage } from "../turn/usage.ts";
import type { SaidTokens } from "./said-text.ts";

// The only place that decides the token counts of a reply: from what Cursor reported, with estimates for the rest.

/** The previous reply in the same conversation. */
export interface EarlierReply {
	/** As it was reported to the client. */
	inputTokens: number;
	/** The newest figure from Cursor itself, which may differ from the one that the client got. */
	toldInputTokens: number | undefined;
	/** What clients were told about the output of this run so far. */
	spent: SpentOutput;
}

export type SpentOutput = Pick<TokenUsage, "outputTokens" | "reasoningTokens">;

export const NOTHING_SPENT: SpentOutput = { outputTokens: 0, reasoningTokens: 0 };

/** The output of a reply. Undefined if that needs an estimate and `said` was not given. */
export function settleOutput(
	told: ToldUsage,
	spent: SpentOutput,
	said: SaidTokens | undefined,
): SpentOutput | undefined {
	const running = told.outputTokens ?? 0;
	const left = Math.max((told.run?.outputTokens ?? 0) - spent.outputTokens, running);
	if (told.run && left > 0) {
		const reasoning = told.run.reasoningTokens - spent.reasoningTokens;
		return { outputTokens: left, reasoningTokens: Math.min(left, Math.max(0, reasoning)) };
	}
	if (!said) return undefined;
	const spoken = said.textTokens + said.thinkingTokens;
	// Some running counts include calls and some do not.
	const hasCalls = running >= spoken + said.callTokens / 2;
	const outputTokens = hasCalls ? running : Math.max(running, spoken) + said.callTokens;
	return { outputTokens, reasoningTokens: Math.min(outputTokens, said.thinkingTokens) };
}

/** The size of the prompt as Cursor reported it; undefined if it did not. */
export function toldInput({ run, context }: ToldUsage, outputTokens: number): number | undefined {
	if (run?.isOnePrompt && run.inputTokens > 0) return run.inputTokens;
	const tokens = context ? context.tokens - Math.round(outputTokens * context.outputShare) : 0;
	return tokens > 0 ? tokens : undefined;
}

/**
 * The prompt size for the client. Clients take a smaller figure than before as a sign that the conversation was
 * shortened. So a figure from Cursor that is below an earlier estimate is not used until it has caught up, unless
 * Cursor's own figures fell: then the conversation really has become shorter.
 */
export function settleInput(figure: number, earlier: EarlierReply | undefined): number {
	if (!earlier) return figure;
	if (earlier.toldInputTokens !== undefined && figure < earlier.toldInputTokens) return figure;
	return Math.max(figure, earlier.inputTokens);
}

/** How much of the input was read from or written to a cache: as reported for a single prompt, else in proportion. */
export function settleCache(run: RunWork | undefined, inputTokens: number) {
	const share = !run || run.inputTokens === 0 ? 0 : run.isOnePrompt ? 1 : inputTokens / run.inputTokens;
	const part = (tokens = 0) => Math.min(inputTokens, Math.round(tokens * share));
	return { cachedInputTokens: part(run?.cachedTokens), cacheWriteTokens: part(run?.cacheWriteTokens) };
}
