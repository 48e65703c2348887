import type { ClientMessage, ClientRequest } from "../client-request.ts";
import { type Json, parsed, readMessage } from "./parts.ts";

/** A Chat Completions request. */
export function readChat({ messages, tools = [] }: Json): ClientRequest {
	return {
		system: [],
		messages: messages.map(toMessage),
		tools: (tools ?? []).map(({ function: tool }: Json) => ({
			name: tool.name,
			description: tool.description ?? "",
			schema: tool.parameters,
		})),
	};
}

function toMessage({ role, content, tool_calls: calls }: Json): ClientMessage {
	const message = readMessage(role === "developer" ? "system" : role, content);
	const toCall = ({ function: call }: Json) => ({ name: call.name, args: parsed(call.arguments) });
	return { ...message, calls: (calls ?? []).map(toCall) };
}
