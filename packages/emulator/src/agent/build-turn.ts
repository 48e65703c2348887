import { toJson } from "@bufbuild/protobuf";
import {
	AgentMode,
	type AgentRunRequest,
	type RequestContext,
	RequestContextSchema,
	type SelectedImage,
	TOOL_KINDS,
	type UserMessage,
} from "@cursorwire/protocol/agent";
import type { Backend } from "../backend.ts";
import type { ImagePart, Message, Turn } from "../brains/brain.ts";
import { advertisedTools, distinctTools, toTool } from "./advertised-tools.ts";
import type { Blobs } from "./blobs.ts";
import type { RunModel } from "./choose-model.ts";
import type { AgentLink } from "./link.ts";
import { parseRootMessage, type RootMessage } from "./root-messages.ts";
import { ruleTexts, systemTexts } from "./system-texts.ts";

export interface TurnParts {
	request: AgentRunRequest;
	link: AgentLink;
	blobs: Blobs;
	backend: Backend;
	model: RunModel;
	/** Entries of root_prompt_messages_json, read. */
	roots: RootMessage[];
	userMessage: UserMessage | undefined;
	context: RequestContext | undefined;
}

export async function readRoots(request: AgentRunRequest, blobs: Blobs): Promise<RootMessage[]> {
	const ids = request.conversationState?.rootPromptMessagesJson ?? [];
	const contents = await Promise.all(ids.map((id) => blobs.get(id)));
	return contents.map(parseRootMessage);
}

/** The newest message as the model sees it; undefined for a resume. */
export async function newestMessage(userMessage: UserMessage | undefined, blobs: Blobs): Promise<Message | undefined> {
	if (!userMessage) return undefined;
	const text = userMessage.textBlobId?.length
		? Buffer.from(await blobs.get(userMessage.textBlobId)).toString("utf8")
		: userMessage.text;
	const selected = userMessage.selectedContext?.selectedImages ?? [];
	const images = await Promise.all(selected.map((image) => readImage(image, blobs)));
	return { role: "user", content: [{ type: "text", text }, ...images] };
}

/** What the model sees: root messages, the newest message, rules, context and tools, by the switches in force. */
export function buildTurn(parts: TurnParts, newest: Message | undefined): Turn {
	const { request, link, model, roots, context } = parts;
	const { switches } = parts.backend;
	const history = roots.filter((entry): entry is Message => entry.role !== "system");
	const messages = newest ? [...history, newest] : history;
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
		prompt: lastUser?.content.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "",
		mode: modeName(parts),
		context: context && toJson(RequestContextSchema, context),
		signal: link.channel.clientGone,
	};
}

const ALL_BUILTINS = Object.values(TOOL_KINDS);

/** The tool filter headers: an allow list (empty or `__none__` means none at all) and an exclude list. */
function allowedBuiltins(headers: Record<string, string>): string[] {
	const list = (value: string | undefined) => value?.split(",").map((name) => name.trim());
	const allowed = list(headers["x-cursor-agent-allowed-tools"]);
	const excluded = list(headers["x-cursor-agent-exclude-tools"]) ?? [];
	return ALL_BUILTINS.filter((name) => (allowed?.includes(name) ?? true) && !excluded.includes(name));
}

function modeName({ userMessage, request }: TurnParts): string {
	const mode = userMessage?.mode || request.conversationState?.mode || AgentMode.AGENT;
	const name = Object.entries(AgentMode).find(([, value]) => value === mode)?.[0];
	return (name ?? "agent").toLowerCase();
}

async function readImage(image: SelectedImage, blobs: Blobs): Promise<ImagePart> {
	const source = image.dataOrBlobId;
	const data =
		source.case === "data"
			? source.value
			: source.case === "blobIdWithData"
				? source.value.data
				: source.case === "blobId"
					? await blobs.get(source.value)
					: new Uint8Array();
	return { type: "image", mediaType: image.mimeType || sniffImage(data), data };
}

function sniffImage(data: Uint8Array): string {
	const start = Buffer.from(data.subarray(0, 12)).toString("latin1");
	if (start.startsWith("\x89PNG")) return "image/png";
	if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
	if (start.startsWith("GIF8")) return "image/gif";
	if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
	return "application/octet-stream";
}
