import type { ExecServerMessage } from "@cursorwire/protocol/agent";
import type { ToolDefinition } from "../../turn/request.ts";
import type { ToolNames } from "../writing/tool-names.ts";
import type { Match } from "./match/choose-tool.ts";
import type { IntentName } from "./match/intents.ts";
import type { Wish } from "./match/wish.ts";
import type { ExecAnswerInit, ToolOutcome } from "./outcome.ts";

type ExecRequest = Extract<ExecServerMessage["message"], { case: string }>;
export type ExecCase = ExecRequest["case"];
export type ExecArgs<C extends ExecCase> = Extract<ExecRequest, { case: C }>["value"];

/** The client tool that took a request, and the name the model knows it by. */
interface Carrier extends Match {
	knownAs: string;
}

/** One way to pass a request to a client tool. */
export interface Ask {
	intent: IntentName;
	wishes: readonly Wish[];
	answer(outcome: ToolOutcome, carrier: Carrier): ExecAnswerInit[];
}

/** The ways to pass a request on, best first. `detail` tells the model why none of them worked. */
export interface Plan {
	intent?: IntentName;
	asks: readonly Ask[];
	detail?: string;
}

/** Handed to a client tool if one fits, otherwise refused with the request's own result type. */
export interface BridgedKind<Args> {
	plan(args: Args): Plan;
	refuse(args: Args, reason: string): ExecAnswerInit[];
}

/** Answered by the gateway itself, either with an empty state or with a fact it knows. */
export interface SettledKind<Args> {
	settle(args: Args, tools: readonly ToolDefinition[], names: ToolNames): ExecAnswerInit[];
}

/** A request whose result type cannot express a refusal. */
interface ThrownKind {
	error: string;
}

export type ExecKind<Args> = BridgedKind<Args> | SettledKind<Args> | ThrownKind;

/** A kind of request that no client tool can handle. */
export function refused<Args>(refuse: BridgedKind<Args>["refuse"]): BridgedKind<Args> {
	return { plan: () => ({ asks: [] }), refuse };
}
