import type { ToldUsage } from "./told-usage.ts";
import type { TokenUsage } from "./usage.ts";
import type { WebSearch } from "./web-search.ts";

/** How a request reached Cursor: the rungs of the ladder in sessions/ladder.ts. */
export type Rung = "new" | "parked" | "checkpoint" | "rebuild";

/** Why a reply ended. */
export type EndReason = "stop" | "length" | "tool-calls" | "refusal" | "filtered";

/**
 * One step of a model's reply, in the neutral language between protocols and dialects. A protocol translates what
 * Cursor sends into these events, and a dialect writes them in the form of its client API. grammar.ts defines in which
 * order they may come. Errors are not events: a reply that fails ends with a `GatewayError` instead of `turn-end`.
 */
export type TurnEvent =
	| { type: "turn-start"; runId: string; model: string; path: Rung }
	| { type: "text-start" }
	| { type: "text-delta"; text: string }
	| { type: "text-end" }
	| { type: "thinking-start" }
	| { type: "thinking-delta"; text: string }
	| { type: "thinking-end"; signature?: string }
	/** The arguments of a call begin to arrive. Several calls may be open at once; `id` says which one is meant. */
	| { type: "tool-input-start"; id: string; name: string }
	| { type: "tool-input-delta"; id: string; text: string }
	| { type: "tool-input-end"; id: string }
	/** The complete call. Its arguments are all its deltas joined. */
	| { type: "tool-call"; id: string; name: string; arguments: string }
	/** Cursor has searched the web, between two blocks. Its results have been read by the model already. */
	| { type: "web-search"; search: WebSearch }
	/** Cursor is still working but has sent no output. */
	| { type: "activity" }
	/** What Cursor reported about tokens. */
	| { type: "told-usage"; told: ToldUsage }
	/** The token counts for the client. */
	| { type: "usage"; usage: TokenUsage }
	| { type: "turn-end"; reason: EndReason; stopSequence?: string };
