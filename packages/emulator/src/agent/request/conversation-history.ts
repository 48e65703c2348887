import type { ConversationHistory, ConversationHistoryMessage } from "@cursorwire/protocol/agent";
import type { ImagePart, Message, TextPart } from "../../brains/brain.ts";
import { RpcFailure } from "../../rpc/failure.ts";

/** The typed history that may come with a message (conversation_history), in the form of the root messages. */
export function historyMessages(history: ConversationHistory | undefined): Message[] {
	return history?.messages.map(({ message }) => historyMessage(message)) ?? [];
}

function historyMessage({ case: role, value }: ConversationHistoryMessage["message"]): Message {
	switch (role) {
		case "user":
			return { role, content: value.content.flatMap(({ content }) => textOrImage(content)) };
		case "assistant":
			return {
				role,
				content: value.content.flatMap(({ content }): Message["content"] => {
					if (content.case === "text") return [{ type: "text", text: content.value.text }];
					if (content.case === "reasoning") return [{ type: "reasoning", text: content.value.text }];
					if (content.case !== "toolCall") return [];
					const { toolCallId, toolName, argsJson } = content.value;
					return [{ type: "tool-call", toolCallId, toolName, args: parseArguments(argsJson) }];
				}),
			};
		case "tool": {
			const parts = value.content.flatMap(({ content }) => textOrImage(content));
			const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
			const images = parts.filter((part): part is ImagePart => part.type === "image");
			const { toolCallId, toolName, isError } = value;
			const result = { toolCallId, toolName, result: texts.join("\n\n"), ...(isError && { isError }) };
			return { role, content: [{ type: "tool-result", ...result, ...(images.length > 0 && { images }) }] };
		}
		default:
			throw new RpcFailure("invalid_argument", "conversation_history has a message of no known kind");
	}
}

type Content =
	| { case: "text"; value: { text: string } }
	| { case: "image"; value: { data: string; mimeType?: string } }
	| { case: undefined; value?: undefined };

function textOrImage(content: Content): (TextPart | ImagePart)[] {
	if (content.case === "text") return [{ type: "text", text: content.value.text }];
	if (content.case !== "image") return [];
	const { data, mimeType = "image/png" } = content.value;
	return [{ type: "image", mediaType: mimeType, data: Buffer.from(data, "base64") }];
}

function parseArguments(json: string): unknown {
	try {
		return JSON.parse(json || "{}");
	} catch {
		throw new RpcFailure("invalid_argument", "conversation_history: args_json is not JSON");
	}
}
