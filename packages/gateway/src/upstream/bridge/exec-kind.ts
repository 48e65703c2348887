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

/** The tool that took a request, with the name the model knows it by. */
interface Carrier extends Match {
	knownAs: string;
}

/** One way to carry a request to a client's tool. */
export interface Ask {
	intent: IntentName;
	wishes: readonly Wish[];
	answer(outcome: ToolOutcome, carrier: Carrier): ExecAnswerInit[];
}

/** How a request could be carried, best way first; `detail` tells the model why it was not. */
export interface Plan {
	intent?: IntentName;
	asks: readonly Ask[];
	detail?: string;
}

/** Handed to a client's tool where one fits, else turned down in the request's own type. */
export interface BridgedKind<Args> {
	plan(args: Args): Plan;
	refuse(args: Args, reason: string): ExecAnswerInit[];
}

/** Answered here: a state of nothing, or a fact the gateway knows. */
export interface SettledKind<Args> {
	settle(args: Args, tools: readonly ToolDefinition[], names: ToolNames): ExecAnswerInit[];
}

/** Has no form in which to say no. */
interface ThrownKind {
	error: string;
}

export type ExecKind<Args> = BridgedKind<Args> | SettledKind<Args> | ThrownKind;

/** A kind that no client tool stands for. */
export function refused<Args>(refuse: BridgedKind<Args>["refuse"]): BridgedKind<Args> {
	return { plan: () => ({ asks: [] }), refuse };
}
