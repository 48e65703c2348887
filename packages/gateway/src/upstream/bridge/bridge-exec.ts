import type { ExecServerMessage } from "@cursorwire/protocol/agent";
import type { ToolDefinition } from "../../turn/request.ts";
import { ToolNames } from "../writing/tool-names.ts";
import type { Ask, BridgedKind, ExecKind } from "./exec-kind.ts";
import { EXEC_KINDS } from "./exec-kinds.ts";
import { guidance } from "./guidance.ts";
import { chooseTool, type Match } from "./match/choose-tool.ts";
import type { BridgeCall, BridgeDecision } from "./outcome.ts";
import { unwrapBatch } from "./text/batch.ts";

/**
 * Decides what to do with a built-in request from the server. Such requests arrive even though only the client's tools
 * were offered. Nothing is executed here: the request goes to a client tool with the same meaning whose schema accepts
 * it, or it is refused with its own result type, or, if it has no result type that can express a refusal, it is
 * answered with an error.
 *
 * `names` holds the names under which the run offered the tools, so that a refusal uses names the model knows.
 * `shownAs` is the built-in tool that was shown last, which is all we know about a request of a new kind.
 */
export function bridgeExec(
	exec: ExecServerMessage,
	tools: readonly ToolDefinition[],
	names: ToolNames = new ToolNames(tools),
	shownAs?: string,
): BridgeDecision {
	const { message } = exec;
	if (message.case === undefined) {
		const detail = shownAs === undefined ? "" : `It is Cursor's own ${shownAs}.`;
		return { kind: "throw", error: guidance(undefined, tools, names, detail) };
	}
	// The table pairs each case with its arguments, but the compiler cannot follow that through the lookup.
	const kind = EXEC_KINDS[message.case] as ExecKind<typeof message.value>;
	if ("error" in kind) return { kind: "throw", error: kind.error };
	if ("settle" in kind) return { kind: "answer", answers: kind.settle(message.value, tools, names), isRefusal: false };
	return bridge(kind, message.value, tools, names);
}

function bridge<Args>(
	kind: BridgedKind<Args>,
	args: Args,
	tools: readonly ToolDefinition[],
	names: ToolNames,
): BridgeDecision {
	const { asks, intent, detail } = kind.plan(args);
	for (const ask of asks) {
		const match = chooseTool(ask.intent, ask.wishes, tools);
		if (match) return { kind: "call", call: callOf(ask, match, names) };
	}
	return { kind: "answer", answers: kind.refuse(args, guidance(intent, tools, names, detail)), isRefusal: true };
}

function callOf(ask: Ask, match: Match, names: ToolNames): BridgeCall {
	const carrier = { ...match, knownAs: names.wire(match.tool.name) };
	return {
		toolName: match.tool.name,
		arguments: match.arguments,
		answer: (outcome) => ask.answer(match.batched ? unwrapBatch(outcome) : outcome, carrier),
	};
}
