import type { Clock } from "../time/clock.ts";
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

/** What a turn does at the moment. */
type TurnState = "connecting" | "thinking" | "streaming" | "tool";

export interface TurnProgress {
	state: TurnState;
	ageMs: number;
	/** Time since the first token; undefined before it. */
	speakingMs?: number;
}

/** The state that the newest event of a reply shows. Before its first event, Cursor is being reached. */
const STATES: Readonly<Record<TurnEvent["type"], TurnState>> = {
	"turn-start": "thinking",
	activity: "thinking",
	"thinking-start": "thinking",
	"thinking-delta": "thinking",
	"thinking-end": "thinking",
	"text-start": "streaming",
	"text-delta": "streaming",
	"text-end": "streaming",
	"tool-input-start": "tool",
	"tool-input-delta": "tool",
	"tool-input-end": "tool",
	"tool-call": "tool",
	"told-usage": "streaming",
	usage: "thinking",
	"turn-end": "streaming",
};

/** Collects the figures of a turn while its events pass. The replies to one request (`n` choices) are added up. */
export class OutcomeWatch {
	readonly #startedAt: number;
	readonly #clock: Pick<Clock, "now">;
	#usage: TokenUsage = NO_TOKENS;
	#firstTokenMs: number | undefined;
	#newest: TurnEvent["type"] | undefined;

	constructor(clock: Pick<Clock, "now">) {
		this.#clock = clock;
		this.#startedAt = clock.now();
	}

	see(batch: readonly TurnEvent[]): void {
		if (this.#firstTokenMs === undefined && batch.some(({ type }) => type !== "activity")) {
			this.#firstTokenMs = this.#clock.now() - this.#startedAt;
		}
		const last = batch[batch.length - 1];
		this.#newest = last?.type;
		if (last?.type !== "turn-end") return;
		const final = batch.findLast((event) => event.type === "usage");
		if (final) this.#usage = sum(this.#usage, final.usage);
	}

	progress(): TurnProgress {
		const ageMs = this.#clock.now() - this.#startedAt;
		const state = this.#newest === undefined ? "connecting" : STATES[this.#newest];
		return { state, ageMs, ...(this.#firstTokenMs !== undefined && { speakingMs: ageMs - this.#firstTokenMs }) };
	}

	outcome(end: TurnEnd = {}): TurnOutcome {
		return {
			usage: this.#usage,
			firstTokenMs: this.#firstTokenMs,
			latencyMs: this.#clock.now() - this.#startedAt,
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
