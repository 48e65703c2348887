import type { ImagePart, Message } from "../../brains/brain.ts";
import { RpcFailure } from "../../rpc/failure.ts";

/** One entry of root_prompt_messages_json, in the form of the Vercel AI SDK: docs/protocol.md, Checkpoints. */
export type RootMessage = { role: "system"; content: string } | Message;

const TOOL_CALL_ID = /^[a-zA-Z0-9_-]+$/;

/** Reads one entry. Throws the errors that clients have reported from Cursor's server. */
export function parseRootMessage(data: Uint8Array): RootMessage {
	let json: { role?: unknown; content?: unknown };
	try {
		json = JSON.parse(Buffer.from(data).toString("utf8"));
	} catch {
		throw new RpcFailure("internal", "a root prompt message is not JSON");
	}
	if (json.role === "system") return { role: "system", content: textOf(json.content) };
	if (json.role !== "user" && json.role !== "assistant" && json.role !== "tool") {
		throw new RpcFailure("internal", `a root prompt message has the role ${JSON.stringify(json.role)}`);
	}
	return { role: json.role, content: parseContent(json.content) };
}

function parseContent(content: unknown): Message["content"] {
	if (typeof content === "string") return [{ type: "text", text: content }];
	if (!Array.isArray(content)) return [];
	return content.map(parsePart);
}

function parsePart(part: Record<string, unknown>): Message["content"][number] {
	switch (part.type) {
		case "text":
		case "reasoning":
			return { type: part.type, text: String(part.text ?? "") };
		case "image":
			return parseImage(part);
		case "tool-call":
			return { type: "tool-call", toolCallId: callId(part), toolName: String(part.toolName), args: part.args };
		case "tool-result":
			return {
				type: "tool-result",
				toolCallId: callId(part),
				toolName: String(part.toolName),
				result: part.result,
				...(part.isError === true && { isError: true }),
			};
		default:
			throw new RpcFailure("internal", `a root prompt message has a part of type ${JSON.stringify(part.type)}`);
	}
}

/** A call id that a model provider would refuse gives a resource_exhausted without details. */
function callId(part: Record<string, unknown>): string {
	const id = String(part.toolCallId ?? "");
	if (!TOOL_CALL_ID.test(id)) throw new RpcFailure("resource_exhausted", "Error");
	return id;
}

function parseImage(part: Record<string, unknown>): ImagePart {
	const match = /^data:([^;,]+);base64,(.*)$/s.exec(String(part.image ?? ""));
	if (!match) throw new RpcFailure("invalid_argument", "an image of the history is not a base64 data URL");
	return { type: "image", mediaType: match[1]!, data: Buffer.from(match[2]!, "base64") };
}

function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	return Array.isArray(content) ? content.map((part) => part?.text ?? "").join("") : "";
}

/** Writes an entry in the same form. */
export function serializeRootMessage(message: RootMessage): Uint8Array {
	if (message.role === "system") return Buffer.from(JSON.stringify(message));
	const content = message.content.map((part) =>
		part.type === "image"
			? {
					type: "image",
					image: `data:${part.mediaType};base64,${Buffer.from(part.data).toString("base64")}`,
					mediaType: part.mediaType,
				}
			: part,
	);
	const id = message.role === "tool" && message.content[0]?.type === "tool-result" && message.content[0].toolCallId;
	return Buffer.from(JSON.stringify({ role: message.role, ...(id && { id }), content }));
}
