import type { TurnStages, TurnTimes } from "../observe/facts.ts";
import type { Clock } from "../time/clock.ts";
import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import { NO_TOKENS, type TokenUsage } from "../turn/usage.ts";

/** How a turn ended, unless it ended normally. */
export interface TurnEnd {
	cancelled?: boolean;
	error?: GatewayError;
}

/** What a turn does at the moment. */
export type TurnState = "connecting" | "thinking" | "streaming" | "tool";

/** Hears that a turn does something else than before. */
export type StepTeller = (requestId: string, step: TurnState) => void;

/** A run as far as it says when content arrived. */
interface HeardRun {
	/** Of the reply under way. */
	firstContentAt: number | undefined;
}

/** The names of tools that the ledger keeps of one turn, in characters. */
const LONGEST_TOOLS = 256;

export interface TurnProgress {
	state: TurnState;
	ageMs: number;
	/** Since when it is in this state. */
	stateMs: number;
	/** Time since the first token; undefined before it. */
	speakingMs?: number;
}

/** The states that events show. Before the first of them, Cursor is being reached. Figures show none. */
const STATES: Readonly<Partial<Record<TurnEvent["type"], TurnState>>> = {
	"turn-start": "thinking",
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
	"web-search": "thinking",
	"turn-end": "streaming",
};

/** The newest event that shows a state counts. A sign of life shows no more than that Cursor was reached. */
function stateAfter(before: TurnState, batch: readonly TurnEvent[]): TurnState {
	for (let index = batch.length - 1; index >= 0; index--) {
		const shown = STATES[batch[index]!.type];
		if (shown) return shown;
	}
	return before === "connecting" && batch.length > 0 ? "thinking" : before;
}

/** Collects the figures of a turn while its events pass. The replies to one request (`n` choices) are added up. */
export class OutcomeWatch {
	readonly #startedAt: number;
	readonly #clock: Pick<Clock, "now">;
	readonly #stepped: StepTeller;
	readonly #requestId: string;
	#usage: TokenUsage = NO_TOKENS;
	#sentMs: number | undefined;
	#firstTokenMs: number | undefined;
	#firstThinkingMs: number | undefined;
	#firstTextMs: number | undefined;
	#firstCallMs: number | undefined;
	#firstChunkMs: number | undefined;
	#tools: string | undefined;
	#searches = 0;
	#state: TurnState = "connecting";
	#stateSince: number;
	/** The run of the newest reply, which knows when its first content arrived. */
	#run: HeardRun | undefined;

	/** `requestId` is what `stepped` is told of each step. */
	constructor(clock: Pick<Clock, "now">, stepped: StepTeller = () => {}, requestId = "") {
		this.#clock = clock;
		this.#stepped = stepped;
		this.#requestId = requestId;
		this.#startedAt = clock.now();
		this.#stateSince = this.#startedAt;
	}

	/** The request was handed to Cursor. */
	sent(run: HeardRun | undefined): void {
		this.#run = run;
		this.#sentMs ??= this.#elapsed();
	}

	get usage(): TokenUsage {
		return this.#usage;
	}

	/** Something of the reply has come. */
	get hasBegun(): boolean {
		return this.#firstTokenMs !== undefined;
	}

	/** The names of the tools that were called. */
	get tools(): string | undefined {
		return this.#tools;
	}

	/** How often the web was searched. */
	get searches(): number {
		return this.#searches;
	}

	see(batch: readonly TurnEvent[]): void {
		for (const event of batch) if (event.type !== "activity") this.#mark(event);
		if (batch[batch.length - 1]?.type === "turn-end") {
			const final = batch.findLast((event) => event.type === "usage");
			if (final) this.#usage = sum(this.#usage, final.usage);
		}
		const state = stateAfter(this.#state, batch);
		if (state === this.#state) return;
		this.#state = state;
		this.#stateSince = this.#clock.now();
		this.#stepped(this.#requestId, state);
	}

	progress(): TurnProgress {
		const ageMs = this.#elapsed();
		return {
			state: this.#state,
			ageMs,
			stateMs: this.#clock.now() - this.#stateSince,
			...(this.#firstTokenMs !== undefined && { speakingMs: ageMs - this.#firstTokenMs }),
		};
	}

	/** Writes down when what happened. */
	tell(times: TurnTimes & TurnStages): void {
		times.latencyMs = Math.round(this.#elapsed());
		if (this.#sentMs !== undefined) times.sentMs = Math.round(this.#sentMs);
		if (this.#firstTokenMs !== undefined) times.firstTokenMs = Math.round(this.#firstTokenMs);
		if (this.#firstThinkingMs !== undefined) times.firstThinkingMs = Math.round(this.#firstThinkingMs);
		if (this.#firstTextMs !== undefined) times.firstTextMs = Math.round(this.#firstTextMs);
		if (this.#firstCallMs !== undefined) times.firstCallMs = Math.round(this.#firstCallMs);
		if (this.#sentMs !== undefined) times.sendUs = Math.round(this.#sentMs * 1_000);
		if (this.#firstChunkMs !== undefined) times.firstChunkUs = Math.round(this.#firstChunkMs * 1_000);
	}

	#elapsed(): number {
		return this.#clock.now() - this.#startedAt;
	}

	#mark(event: TurnEvent): void {
		if (this.#firstTokenMs === undefined) this.#firstToken();
		switch (event.type) {
			case "thinking-delta":
				this.#firstThinkingMs ??= this.#elapsed();
				return;
			case "text-delta":
				this.#firstTextMs ??= this.#elapsed();
				return;
			case "tool-call":
				this.#firstCallMs ??= this.#elapsed();
				this.#addTool(event.name);
				return;
			case "web-search":
				if (!event.search.error) this.#searches++;
		}
	}

	#firstToken(): void {
		const now = this.#clock.now();
		this.#firstTokenMs = now - this.#startedAt;
		const heardAt = this.#run?.firstContentAt;
		if (heardAt !== undefined) this.#firstChunkMs = now - heardAt;
	}

	#addTool(name: string): void {
		if (this.#tools === undefined) this.#tools = name;
		else if (this.#tools.length < LONGEST_TOOLS) this.#tools += `,${name}`;
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
