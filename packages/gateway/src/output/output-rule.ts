import type { GatewayError } from "../turn/error.ts";
import type { ToolCallPart, TurnMessage, TurnRequest } from "../turn/request.ts";

/** A reply that ended without a call of the client's tools. */
export interface FinalReply {
	/** The text, one entry per block. */
	texts: readonly string[];
	/** Calls of the rule's own tool. */
	ownCalls: readonly ToolCallPart[];
}

export type RuleOutcome =
	/** The reply keeps the rule; this is the text for the client. */
	| { kind: "kept"; text: string }
	/** `repair` tells the model what is wrong. `error` is for the client if that does not help. */
	| { kind: "wrong"; repair: TurnMessage[]; error: GatewayError };

/** A demand on the reply that Cursor's protocol has no field for, so the gateway enforces it. */
export interface OutputRule {
	/** The client's request, extended so that the model is asked to keep the rule. */
	request: TurnRequest;
	/** The name of a tool that the gateway added and the client does not know. */
	ownTool: string | undefined;
	/** False: text next to calls of the client's tools is dropped, because all text has to keep the rule. */
	keepsTextBesideCalls: boolean;
	/** May take a while. Throws or rejects when it cannot decide. */
	judge(response: FinalReply): RuleOutcome | Promise<RuleOutcome>;
}

/** What the model said, followed by what is wrong with it. */
export function objection(texts: readonly string[], problem: string): TurnMessage[] {
	const text = texts.join("");
	return [
		...(text === "" ? [] : [{ role: "assistant" as const, content: [{ type: "text" as const, text }] }]),
		{ role: "user", content: [{ type: "text", text: problem }] },
	];
}

/** Calls of the rule's own tool, each with the same result. */
export function callsWithResult(calls: readonly ToolCallPart[], text: string): TurnMessage[] {
	return [
		{ role: "assistant", content: [...calls] },
		{
			role: "tool",
			content: calls.map(({ id }) => ({
				type: "tool-result",
				callId: id,
				content: [{ type: "text", text }],
				isError: true,
			})),
		},
	];
}
