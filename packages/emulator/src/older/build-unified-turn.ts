import {
	ClientSideToolV2,
	type ConversationMessage,
	ConversationMessage_MessageType,
	type StreamUnifiedChatRequest,
	StreamUnifiedChatRequest_UnifiedMode,
} from "@cursorwire/protocol/aiserver";
import type { ImagePart, Message, Tool, Turn } from "../brains/brain.ts";
import type { UnifiedTransport } from "./unified-link.ts";
import { ruleTexts, systemTexts } from "./unified-prompt.ts";

/** What the model sees of a request of the unified protocol. */
export function buildUnifiedTurn(request: StreamUnifiedChatRequest, transport: UnifiedTransport): Turn {
	const messages = request.conversation.flatMap(toMessages);
	const lastUser = messages.findLast(({ role }) => role === "user");
	const { authorization: _, ...headers } = transport.headers;
	const withTools = transport.takesToolResults && !request.shouldDisableTools;
	return {
		messages,
		system: systemTexts(request).map(({ text }) => text),
		rules: ruleTexts(request).map(({ text }) => text),
		tools: withTools ? request.mcpTools.map(toTool) : [],
		builtins: withTools ? request.supportedTools.map(builtinName) : [],
		model: {
			id: request.modelDetails?.modelName ?? "",
			parameters: thinkingParameter(request),
			maxMode: request.modelDetails?.maxMode ?? false,
		},
		conversationId: request.conversationId,
		images: lastUser?.content.filter((part): part is ImagePart => part.type === "image") ?? [],
		headers,
		resumed: request.isResume ?? false,
		action: { kind: request.isResume ? "resume" : "user_message", data: {} },
		prompt: lastUser?.content.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "",
		mode: modeName(request.unifiedMode),
		context: undefined,
		signal: transport.clientGone,
	};
}

function toMessages(message: ConversationMessage): Message[] {
	if (message.type === ConversationMessage_MessageType.HUMAN) {
		return [{ role: "user", content: [{ type: "text", text: message.text }, ...message.images.map(toImage)] }];
	}
	const calls = message.toolResults.map(({ toolCallId, toolName, rawArgs, args }) => ({
		type: "tool-call" as const,
		toolCallId,
		toolName,
		args: parseJson(rawArgs || args),
	}));
	const results = message.toolResults.map(({ toolCallId, toolName, content, result, error, images }) => ({
		type: "tool-result" as const,
		toolCallId,
		toolName,
		result: error?.modelVisibleErrorMessage ?? content ?? mcpText(result),
		...(error && { isError: true }),
		...(images.length > 0 && { images: images.map(toImage) }),
	}));
	const text = message.text ? [{ type: "text" as const, text: message.text }] : [];
	return [
		{ role: "assistant", content: [...text, ...calls] },
		...results.map((result): Message => ({ role: "tool", content: [result] })),
	];
}

function toImage({ data }: { data: Uint8Array }): ImagePart {
	return { type: "image", mediaType: "image/png", data };
}

/** Names of the agent protocol, for tools that are the same in both. */
const BUILTIN_NAMES: Readonly<Record<number, string>> = {
	[ClientSideToolV2.MCP]: "mcp_tool_call",
	[ClientSideToolV2.READ_FILE]: "read_tool_call",
	[ClientSideToolV2.EDIT_FILE]: "edit_tool_call",
	[ClientSideToolV2.DELETE_FILE]: "delete_tool_call",
	[ClientSideToolV2.LIST_DIR]: "ls_tool_call",
	[ClientSideToolV2.RIPGREP_RAW_SEARCH]: "grep_tool_call",
	[ClientSideToolV2.RUN_TERMINAL_COMMAND_V2]: "shell_tool_call",
};

function builtinName(tool: ClientSideToolV2): string {
	const name = Object.entries(ClientSideToolV2).find(([, value]) => value === tool)?.[0];
	return BUILTIN_NAMES[tool] ?? name?.toLowerCase() ?? String(tool);
}

function mcpText(result: ConversationMessage["toolResults"][number]["result"]): string {
	return result?.result.case === "mcpResult" ? result.result.value.result : "";
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return {};
	}
}

function toTool(tool: StreamUnifiedChatRequest["mcpTools"][number]): Tool {
	return { name: tool.name, description: tool.description, inputSchema: parseJson(tool.parameters) };
}

function thinkingParameter({ thinkingLevel }: StreamUnifiedChatRequest): Record<string, string> {
	if (!thinkingLevel) return {};
	return { thinking: "true", effort: thinkingLevel === 2 ? "high" : "medium" };
}

function modeName(mode: StreamUnifiedChatRequest_UnifiedMode | undefined): string {
	const name = Object.entries(StreamUnifiedChatRequest_UnifiedMode).find(([, value]) => value === mode)?.[0];
	return (name ?? "chat").toLowerCase();
}
