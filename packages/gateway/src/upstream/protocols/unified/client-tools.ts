import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
	type ExecClientMessage,
	ExecClientMessageSchema,
	type ExecServerMessage,
	ExecServerMessageSchema,
} from "@cursorwire/protocol/agent";
import { ClientSideToolV2, type ClientSideToolV2Call } from "@cursorwire/protocol/aiserver";
import type { ToolDefinition } from "../../../turn/request.ts";
import { bridgeExec } from "../../bridge/bridge-exec.ts";
import { guidance } from "../../bridge/guidance.ts";
import type { IntentName } from "../../bridge/match/intents.ts";
import type { ExecAnswerInit, ToolOutcome } from "../../bridge/outcome.ts";
import type { ToolNames } from "../../writing/tool-names.ts";
import { type ResultInit, toolError } from "./results.ts";
import { CLIENT_TOOLS, type ClientTool, type ToolParams } from "./tool-table.ts";

/** What becomes of a call of one of Cursor's own tools. Each way answers it: an unanswered one hangs the turn. */
export type ClientToolDecision =
	| {
			kind: "call";
			call: { toolName: string; arguments: Record<string, unknown>; answer(outcome: ToolOutcome): ResultInit };
	  }
	| { kind: "answer"; result: ResultInit; isRefusal: boolean }
	/** A tool that is newer than this program; it is refused as well. */
	| { kind: "unknown"; result: ResultInit };

const KNOWN_TOOLS: ReadonlySet<number> = new Set(Object.values(ClientSideToolV2).filter((value) => value !== 0));

/**
 * A call of one of Cursor's own tools is the same wish as the agent protocol's request of that kind. So it is turned
 * into one, which the bridge hands to a client's tool of that meaning, and the typed answer is turned back.
 */
export function bridgeClientTool(
	{ tool, params }: ClientSideToolV2Call,
	tools: readonly ToolDefinition[],
	names: ToolNames,
): ClientToolDecision {
	const refuse = (intent?: IntentName, detail?: string) => toolError(guidance(intent, tools, names, detail));
	// The table pairs each case with its parameters, which the compiler cannot follow through the lookup.
	const entry = params.case && (CLIENT_TOOLS[params.case] as ClientTool<ToolParams> | undefined);
	if (!entry || params.value === undefined) {
		const intent = tool === ClientSideToolV2.WEB_FETCH ? "fetch" : undefined;
		const result = refuse(intent);
		return KNOWN_TOOLS.has(tool) ? { kind: "answer", result, isRefusal: true } : { kind: "unknown", result };
	}
	const { value } = params;
	const request = entry.request?.(value);
	if (!request || typeof request === "string") {
		return { kind: "answer", result: refuse(entry.intent, request), isRefusal: true };
	}
	const read = (answers: ExecAnswerInit[]) => entry.result!(typed(answers), value);
	const decision = bridgeExec(exec(request), tools, names);
	switch (decision.kind) {
		case "throw":
			return { kind: "answer", result: toolError(decision.error), isRefusal: true };
		case "answer":
			return { kind: "answer", result: read(decision.answers), isRefusal: decision.isRefusal };
		case "call": {
			const { toolName, arguments: args, answer } = decision.call;
			return { kind: "call", call: { toolName, arguments: args, answer: (outcome) => read(answer(outcome)) } };
		}
	}
}

function exec(message: MessageInitShape<typeof ExecServerMessageSchema>["message"]): ExecServerMessage {
	return create(ExecServerMessageSchema, { message });
}

/** The one answer of a request that has no stream of them. */
function typed(answers: readonly ExecAnswerInit[]): ExecClientMessage["message"] {
	return create(ExecClientMessageSchema, { message: answers.at(-1) }).message;
}
