import type { RunWork, ToldUsage } from "../turn/told-usage.ts";
import type { TokenUsage } from "../turn/usage.ts";
import type { SaidTokens } from "./said-text.ts";

// The one place where the figures of a response are decided: what the upstream told, and estimates for the rest.

/** The response before, in the same conversation. */
export interface EarlierReply {
	/** As it was reported. */
	inputTokens: number;
	/** The newest figure of the upstream itself, which need not be the one that was reported. */
	toldInputTokens: number | undefined;
	/** Reported of this run so far. */
	spent: SpentOutput;
}

export type SpentOutput = Pick<TokenUsage, "outputTokens" | "reasoningTokens">;

export const NOTHING_SPENT: SpentOutput = { outputTokens: 0, reasoningTokens: 0 };

/** The output of a response; undefined where that needs an estimate. */
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
	// Some count calls while they come and some do not.
	const hasCalls = running >= spoken + said.callTokens / 2;
	const outputTokens = hasCalls ? running : Math.max(running, spoken) + said.callTokens;
	return { outputTokens, reasoningTokens: Math.min(outputTokens, said.thinkingTokens) };
}

/** The size of the prompt in the upstream's own words; undefined where it said nothing of it. */
export function toldInput({ run, context }: ToldUsage, outputTokens: number): number | undefined {
	if (run?.isOnePrompt && run.inputTokens > 0) return run.inputTokens;
	const tokens = context ? context.tokens - Math.round(outputTokens * context.outputShare) : 0;
	return tokens > 0 ? tokens : undefined;
}

/**
 * The size that is reported. A client takes a smaller figure than before for a conversation that has lost its beginning.
 * So a figure of the upstream that is below an estimate before it waits until it has caught up, unless the upstream's
 * own figures fell: then the conversation has become shorter indeed.
 */
export function settleInput(figure: number, earlier: EarlierReply | undefined): number {
	if (!earlier) return figure;
	if (earlier.toldInputTokens !== undefined && figure < earlier.toldInputTokens) return figure;
	return Math.max(figure, earlier.inputTokens);
}

/** The parts of the input that a cache had to do with: of one prompt as told, of one among several in proportion. */
export function settleCache(run: RunWork | undefined, inputTokens: number) {
	const share = !run || run.inputTokens === 0 ? 0 : run.isOnePrompt ? 1 : inputTokens / run.inputTokens;
	const part = (tokens = 0) => Math.min(inputTokens, Math.round(tokens * share));
	return { cachedInputTokens: part(run?.cachedTokens), cacheWriteTokens: part(run?.cacheWriteTokens) };
}
