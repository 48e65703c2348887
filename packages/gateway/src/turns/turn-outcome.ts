import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import { NO_TOKENS, type TokenUsage } from "../turn/usage.ts";

/** What the ledger keeps about a turn that has ended. */
export interface TurnOutcome {
	usage: TokenUsage;
	firstTokenMs: number | undefined;
	latencyMs: number;
	/** The client disconnected before the end. */
	cancelled: boolean;
	error: GatewayError | undefined;
}

/** How a turn ended, unless it ended normally. */
export interface TurnEnd {
	cancelled?: boolean;
	error?: GatewayError;
}

/** Collects the figures of a turn while its events pass. The replies to one request (`n` choices) are added up. */
export class OutcomeWatch {
	readonly #startedAt: number;
	readonly #now: () => number;
	#usage: TokenUsage = NO_TOKENS;
	#firstTokenMs: number | undefined;

	constructor(now: () => number) {
		this.#now = now;
		this.#startedAt = now();
	}

	see(batch: readonly TurnEvent[]): void {
		if (this.#firstTokenMs === undefined && batch.some(({ type }) => type !== "activity")) {
			this.#firstTokenMs = this.#now() - this.#startedAt;
		}
		const last = batch[batch.length - 1];
		if (last?.type !== "turn-end") return;
		const final = batch.findLast((event) => event.type === "usage");
		if (final) this.#usage = sum(this.#usage, final.usage);
	}

	outcome(end: TurnEnd = {}): TurnOutcome {
		return {
			usage: this.#usage,
			firstTokenMs: this.#firstTokenMs,
			latencyMs: this.#now() - this.#startedAt,
			cancelled: end.cancelled ?? false,
			error: end.error,
		};
	}
}

function sum(one: TokenUsage, other: TokenUsage): TokenUsage {
	return {
		inputTokens: one.inputTokens + other.inputTokens,
		outputTokens: one.outputTokens + other.outputTokens,
		cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
		cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
		reasoningTokens: one.reasoningTokens + other.reasoningTokens,
	};
}
