import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type ExecClientMessage, ExecClientMessageSchema, ExecServerMessageSchema } from "@cursorwire/protocol/agent";
import type { ToolDefinition } from "../../src/turn/request.ts";
import { bridgeExec } from "../../src/upstream/bridge/bridge-exec.ts";
import type { BridgeCall, ExecAnswerInit, ToolOutcome } from "../../src/upstream/bridge/outcome.ts";

export type ExecInit = NonNullable<MessageInitShape<typeof ExecServerMessageSchema>["message"]>;
export type ExecResult = ExecClientMessage["message"];

export function decide(message: ExecInit, tools: readonly ToolDefinition[]) {
	return bridgeExec(create(ExecServerMessageSchema, { id: 1, message }), tools);
}

/** The call a request becomes; fails where it becomes none. */
export function callOf(message: ExecInit, tools: readonly ToolDefinition[]): BridgeCall {
	const decision = decide(message, tools);
	if (decision.kind !== "call") throw new Error(`not bridged: ${JSON.stringify(decision, printable)}`);
	return decision.call;
}

/** The answers to a request, as the server decodes them. */
export function answersOf(
	message: ExecInit,
	tools: readonly ToolDefinition[],
	outcome: Partial<ToolOutcome> = {},
): ExecResult[] {
	const decision = decide(message, tools);
	if (decision.kind === "throw") throw new Error(decision.error);
	if (decision.kind === "answer") return decoded(decision.answers);
	return decoded(decision.call.answer({ text: "", images: [], isError: false, ...outcome }));
}

/** The one result of a request: its `result` oneof. */
export function resultOf(message: ExecInit, tools: readonly ToolDefinition[], outcome: Partial<ToolOutcome> = {}) {
	const [answer, ...more] = answersOf(message, tools, outcome);
	if (!answer?.value || more.length > 0 || !("result" in answer.value)) throw new Error("not one result");
	return answer.value.result as { case: string; value: Record<string, unknown> };
}

export function decoded(answers: readonly ExecAnswerInit[]): ExecResult[] {
	return answers.map((message) => {
		const bytes = toBinary(ExecClientMessageSchema, create(ExecClientMessageSchema, { id: 1, message }));
		return fromBinary(ExecClientMessageSchema, bytes).message;
	});
}

function printable(_key: string, value: unknown): unknown {
	return typeof value === "bigint" ? String(value) : value;
}
