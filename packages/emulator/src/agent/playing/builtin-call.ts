import { create, type DescMessage, type Message, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import {
	type ExecClientMessage,
	ExecClientMessageSchema,
	type ToolCall,
	ToolCallSchema,
} from "@cursorwire/protocol/agent";
import type { ExecAnswer } from "../stream/exec-answers.ts";
import { copySharedFields } from "./copy-shared-fields.ts";
import { EXEC_KINDS } from "./exec-kinds.ts";

type ToolOneof = MessageInitShape<typeof ToolCallSchema>["tool"];

/** Kinds whose display form is not called `<kind>_tool_call`. */
const DISPLAY_NAMES: Record<string, string> = {
	shell_stream: "shell_tool_call",
	write: "edit_tool_call",
	list_mcp_resources: "list_mcp_resources_tool_call",
	read_mcp_resource: "read_mcp_resource_tool_call",
};

function displayField(kind: string) {
	const name = DISPLAY_NAMES[kind] ?? `${kind}_tool_call`;
	return ToolCallSchema.fields.find((field) => field.name === name);
}

/** A built-in request in the form for display; undefined for kinds that have none, such as request_context. */
export function displayedCall(kind: string, args: Message, callId: string, answer?: ExecAnswer): ToolCall | undefined {
	const field = displayField(kind);
	const exec = EXEC_KINDS.get(kind);
	if (field?.fieldKind !== "message" || !exec) return undefined;
	const argsField = field.message.field.args;
	const resultField = field.message.field.result;
	const value: Record<string, unknown> = {};
	if (argsField?.fieldKind === "message") value.args = copySharedFields(args, exec.args, argsField.message);
	if (answer && resultField?.fieldKind === "message") value.result = displayedResult(answer, resultField.message);
	const tool = { case: field.localName, value: create(field.message, value) } as unknown as ToolOneof;
	return create(ToolCallSchema, { tool, toolCallId: callId });
}

function displayedResult(answer: ExecAnswer, to: DescMessage): Message | undefined {
	const last = answer.messages.at(-1);
	if (last?.case === "shellStream") return shellResult(answer, to);
	const field = ExecClientMessageSchema.fields.find((candidate) => candidate.localName === last?.case);
	if (!last?.value || field?.fieldKind !== "message") return undefined;
	return copySharedFields(last.value, field.message, to);
}

export interface ShellOutput {
	events: ExecClientMessage["message"][];
	stdout: string;
	stderr: string;
	exitCode: number | undefined;
}

/** The whole output of a streamed shell command. */
export function shellOutput(answer: ExecAnswer): ShellOutput {
	const output: ShellOutput = { events: answer.messages, stdout: "", stderr: "", exitCode: undefined };
	const text: Record<"stdout" | "stderr", Uint8Array[]> = { stdout: [], stderr: [] };
	for (const message of answer.messages) {
		const event = message.case === "shellStream" ? message.value.event : undefined;
		if (event?.case === "stdout" || event?.case === "stderr") text[event.case].push(event.value.data);
		if (event?.case === "exit") output.exitCode = event.value.code;
	}
	output.stdout = Buffer.concat(text.stdout).toString("utf8");
	output.stderr = Buffer.concat(text.stderr).toString("utf8");
	return output;
}

function shellResult(answer: ExecAnswer, to: DescMessage): Message {
	const { stdout, stderr, exitCode = 1 } = shellOutput(answer);
	const outcome = { exitCode, stdout, stderr };
	return create(to, { result: { case: exitCode === 0 ? "success" : "failure", value: outcome } } as never);
}

/** The result of a built-in request as text for the transcript. */
export function answerText(answer: ExecAnswer): string {
	if (answer.thrown) return `error: ${answer.thrown.error}`;
	const last = answer.messages.at(-1);
	if (last?.case === "shellStream") {
		const { stdout, stderr, exitCode } = shellOutput(answer);
		return `${stdout}${stderr}${exitCode ? `\nexit code ${exitCode}` : ""}`;
	}
	const field = ExecClientMessageSchema.fields.find((candidate) => candidate.localName === last?.case);
	if (!last?.value || field?.fieldKind !== "message") return "";
	return JSON.stringify(toJson(field.message, last.value));
}
