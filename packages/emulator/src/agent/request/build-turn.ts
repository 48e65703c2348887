import { fromBinary, toJson } from "@bufbuild/protobuf";
import {
	AgentMode,
	type AgentRunRequest,
	ConversationPlanSchema,
	type ConversationStateStructure,
	type RequestContext,
	RequestContextSchema,
	TOOL_KINDS,
} from "@cursorwire/protocol/agent";
import type { Backend } from "../../backend.ts";
import type { ImagePart, Message, Turn } from "../../brains/brain.ts";
import { parseRootMessage, type RootMessage } from "../state/root-messages.ts";
import type { Blobs } from "../stream/blobs.ts";
import type { AgentLink } from "../stream/link.ts";
import { advertisedTools, distinctTools, toTool } from "./advertised-tools.ts";
import type { RunModel } from "./choose-model.ts";
import type { Opening } from "./opening.ts";
import { ruleTexts, systemTexts } from "./system-texts.ts";

export interface TurnParts {
	request: AgentRunRequest;
	link: AgentLink;
	blobs: Blobs;
	backend: Backend;
	model: RunModel;
	/** The decoded entries of root_prompt_messages_json. */
	roots: RootMessage[];
	opening: Opening;
	context: RequestContext | undefined;
}

export async function readRoots(state: ConversationStateStructure, blobs: Blobs): Promise<RootMessage[]> {
	const contents = await Promise.all(state.rootPromptMessagesJson.map((id) => blobs.get(id)));
	return contents.map(parseRootMessage);
}

/** The plan in a conversation's state; empty if it has none. */
export async function readPlan({ plan }: ConversationStateStructure, blobs: Blobs): Promise<string> {
	return plan?.length ? fromBinary(ConversationPlanSchema, await blobs.get(plan)).plan : "";
}

/** What the model sees: root messages, the newest message, rules, context and tools, as the switches say. */
export function buildTurn(parts: TurnParts): Turn {
	const { request, link, model, roots, context, opening } = parts;
	const { newest } = opening;
	const { switches } = parts.backend;
	const history = roots.filter((entry): entry is Message => entry.role !== "system");
	const messages = [...history, ...opening.earlier, ...(newest ? [newest] : [])];
	const headers = link.channel.exchange.headers;
	const builtins = allowedBuiltins(headers);
	const clientTools = distinctTools(advertisedTools(request, context, switches));
	const { authorization: _, ...visibleHeaders } = headers;
	const lastUser = messages.findLast((message) => message.role === "user");
	return {
		messages,
		system: systemTexts(request, roots, switches).map(({ text }) => text),
		rules: ruleTexts(context, switches).map(({ text }) => text),
		tools: builtins.includes("mcp_tool_call") ? clientTools.map(toTool) : [],
		builtins,
		model: { id: model.id, parameters: model.parameters, maxMode: model.maxMode },
		conversationId: request.conversationId ?? "",
		images: newest?.content.filter((part): part is ImagePart => part.type === "image") ?? [],
		headers: visibleHeaders,
		resumed: newest === undefined,
		action: opening.action,
		prompt: lastUser?.content.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "",
		mode: modeName(parts),
		context: context && toJson(RequestContextSchema, context),
		signal: link.channel.clientGone,
	};
}

const ALL_BUILTINS = Object.values(TOOL_KINDS);

/**
 * The headers that filter tools: a list of those allowed (empty or `__none__` allows none) and a list of those excluded.
 * SDK 1.0.27 and later send them (conformance case `tool-restriction`).
 */
function allowedBuiltins(headers: Record<string, string>): string[] {
	const list = (value: string | undefined) => value?.split(",").map((name) => name.trim());
	const allowed = list(headers["x-cursor-agent-allowed-tools"]);
	const excluded = list(headers["x-cursor-agent-exclude-tools"]) ?? [];
	return ALL_BUILTINS.filter((name) => (allowed?.includes(name) ?? true) && !excluded.includes(name));
}

function modeName({ opening, request }: TurnParts): string {
	const mode = opening.userMessage?.mode || request.conversationState?.mode || AgentMode.AGENT;
	const name = Object.entries(AgentMode).find(([, value]) => value === mode)?.[0];
	return (name ?? "agent").toLowerCase();
}
