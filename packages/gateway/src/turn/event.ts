import type { ToldUsage } from "./told-usage.ts";
import type { TokenUsage } from "./usage.ts";

/** How a request reached the upstream: the rungs of the ladder. */
export type Rung = "new" | "parked" | "checkpoint" | "rebuild";

/** Why a response is complete. */
export type EndReason = "stop" | "length" | "tool-calls" | "refusal" | "filtered";

/**
 * What happens in a response, in the order that grammar.ts states. Errors are not among these: a run that fails ends
 * with a `GatewayError`.
 */
export type TurnEvent =
	| { type: "turn-start"; runId: string; model: string; path: Rung }
	| { type: "text-start" }
	| { type: "text-delta"; text: string }
	| { type: "text-end" }
	| { type: "thinking-start" }
	| { type: "thinking-delta"; text: string }
	| { type: "thinking-end"; signature?: string }
	/** Arguments of a call begin to arrive. Several calls may be open at once; `id` tells them apart. */
	| { type: "tool-input-start"; id: string; name: string }
	| { type: "tool-input-delta"; id: string; text: string }
	| { type: "tool-input-end"; id: string }
	/** The complete call. Its arguments are what the deltas add up to. */
	| { type: "tool-call"; id: string; name: string; arguments: string }
	/** The upstream is alive and has nothing to say. */
	| { type: "activity" }
	/** What the upstream says of tokens, and what the client is told of them. */
	| { type: "told-usage"; told: ToldUsage }
	| { type: "usage"; usage: TokenUsage }
	| { type: "turn-end"; reason: EndReason; stopSequence?: string };
