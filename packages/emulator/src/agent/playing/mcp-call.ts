// A call of one of the client's tools: as an exec request, for display, and as the model gets its result.
import { create, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import {
	type McpArgs,
	McpArgsSchema,
	McpResultSchema,
	type McpToolDefinition,
	type ToolCall,
	ToolCallSchema,
} from "@cursorwire/protocol/agent";
import type { Call, CallResult } from "../../brains/brain.ts";
import { RpcFailure } from "../../rpc/failure.ts";
import type { ExecAnswer } from "../stream/exec-answers.ts";

export function mcpArgs(call: Call, toolCallId: string, tools: McpToolDefinition[]): McpArgs {
	const tool = tools.find((each) => each.name === call.name) ?? tools.find((each) => each.toolName === call.name);
	const args: Record<string, Value> = {};
	for (const [name, value] of Object.entries(call.arguments ?? {})) {
		args[name] = fromJson(ValueSchema, value as JsonValue);
	}
	return create(McpArgsSchema, {
		name: tool?.name ?? call.name,
		args,
		toolCallId,
		providerIdentifier: tool?.providerIdentifier ?? "",
		toolName: tool?.toolName || call.name,
	});
}

export function mcpToolCall(args: McpArgs, toolCallId: string, answer?: ExecAnswer): ToolCall {
	const last = answer?.messages.at(-1);
	const outcome = last?.case === "mcpResult" ? last.value.result : undefined;
	const shown = outcome?.case === "success" || outcome?.case === "rejected" || outcome?.case === "permissionDenied";
	return create(ToolCallSchema, {
		tool: {
			case: "mcpToolCall",
			value: { args, ...(answer && { result: shown ? { result: outcome } : errorResult(answer) }) },
		},
		toolCallId,
	});
}

function errorResult(answer: ExecAnswer) {
	return { result: { case: "error" as const, value: { error: callResult(answer).text } } };
}

/** The result of a client's tool as the model gets it. */
export function callResult(answer: ExecAnswer): CallResult {
	if (answer.thrown) {
		return { content: [], text: answer.thrown.error, isError: true, failure: "throw", raw: answer.thrown };
	}
	const last = answer.messages.at(-1);
	if (last?.case !== "mcpResult") {
		throw new RpcFailure("invalid_argument", `an mcp request was answered with ${last?.case ?? "nothing"}`);
	}
	const { result } = last.value;
	if (result.case === "success") {
		const content = result.value.content.flatMap(({ content: part }): CallResult["content"] => {
			if (part.case === "text") return [{ type: "text", text: part.value.text }];
			if (part.case === "image") return [{ type: "image", mediaType: part.value.mimeType, data: part.value.data }];
			return [];
		});
		const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
		return { content, text, isError: result.value.isError, raw: result };
	}
	const text = JSON.stringify(toJson(McpResultSchema, last.value));
	return { content: [{ type: "text", text }], text, isError: true, failure: result.case ?? "empty", raw: result };
}

/** A result as the history keeps it: one text, with its parts separated by blank lines. */
export function keptText({ content, text }: CallResult): string {
	const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
	return texts.length > 1 ? texts.join("\n\n") : text;
}
