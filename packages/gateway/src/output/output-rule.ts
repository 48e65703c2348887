import type { GatewayError } from "../turn/error.ts";
import type { ToolCallPart, TurnMessage, TurnRequest } from "../turn/request.ts";

/** A response that ended without a call of the client's tools. */
export interface FinalResponse {
	/** Block by block. */
	texts: readonly string[];
	/** Calls of the rule's own tool. */
	ownCalls: readonly ToolCallPart[];
}

export type RuleOutcome =
	| { kind: "answer"; text: string }
	/** `repair` tells the model what is wrong; `error` is for the client if that does not help. */
	| { kind: "wrong"; repair: TurnMessage[]; error: GatewayError };

/** Something that a client demands of the answer and Cursor has no field for, so that it is held to it here. */
export interface OutputRule {
	/** The client's request, changed so that the model is asked to keep the rule. */
	request: TurnRequest;
	/** A tool that only the gateway knows of. */
	ownTool: string | undefined;
	/** False: text beside calls of the client's tools is left out, because all text must keep the rule. */
	keepsTextBesideCalls: boolean;
	/** May take a while; throws or rejects where it cannot tell. */
	judge(response: FinalResponse): RuleOutcome | Promise<RuleOutcome>;
}

/** What the model said, to be followed by what is wrong with it. */
export function objection(texts: readonly string[], problem: string): TurnMessage[] {
	const text = texts.join("");
	return [
		...(text === "" ? [] : [{ role: "assistant" as const, content: [{ type: "text" as const, text }] }]),
		{ role: "user", content: [{ type: "text", text: problem }] },
	];
}

/** Calls of the own tool, and the same reply to each of them. */
export function replyToCalls(calls: readonly ToolCallPart[], text: string): TurnMessage[] {
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
