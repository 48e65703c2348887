import type { Sliced } from "../../time/slices.ts";
import type { AssistantMessage, ToolCallPart, UserMessage } from "../../turn/request.ts";
import { Conversation, type DecodedMessages } from "../shared/conversation.ts";
import { invalid } from "../shared/invalid.ts";
import { argumentsText } from "../shared/tools.ts";
import type { Warnings } from "../shared/warnings.ts";
import { toText, wellFormed } from "../shared/well-formed.ts";
import { decodeContent, decodeTextContent } from "./decode-parts.ts";
import type { ChatFunctionCall, ChatMessage, ChatToolCall } from "./schema.ts";

/** The conversation in neutral form, as the client tells it. Repairs come afterwards. */
export function* decodeMessages(messages: readonly ChatMessage[], warnings: Warnings): Sliced<DecodedMessages> {
	const decoder = new MessageDecoder(warnings);
	for (let index = 0; index < messages.length; index++) {
		decoder.add(messages[index]!, index);
		yield;
	}
	return decoder.conversation.finish();
}

class MessageDecoder {
	readonly conversation = new Conversation();
	readonly #warnings: Warnings;
	/** Ids of the last call of each function in the older form, by its name: a result there names nothing else. */
	#functionCalls: Map<string, string> | undefined;

	constructor(warnings: Warnings) {
		this.#warnings = warnings;
	}

	add(message: ChatMessage, index: number): void {
		const param = `messages[${index}]`;
		switch (message.role) {
			case "system":
			case "developer":
				return this.#addSystem(message, param);
			case "user":
				return this.#addUser(message, param);
			case "assistant":
				return this.#addAssistant(message, param, index);
			case "tool":
				return this.#addResult(message, param, toolCallId(message, param));
			case "function":
				return this.#addResult(message, param, this.#functionCallId(message, param));
		}
	}

	#addSystem({ content }: ChatMessage, param: string): void {
		this.conversation.addSystem(decodeTextContent(content, `${param}.content`, this.#warnings));
	}

	/** The upstream has no field for a speaker's name, so the text begins with it, as in a script. */
	#addUser({ content, name }: ChatMessage, param: string): void {
		const parts = decodeContent(content, `${param}.content`, this.#warnings);
		this.conversation.add({ role: "user", content: name ? spokenBy(name, parts) : parts });
	}

	#addAssistant(message: ChatMessage, param: string, index: number): void {
		const content: AssistantMessage["content"] = [];
		const thinking = message.reasoning_content ?? message.reasoning;
		if (thinking) content.push({ type: "thinking", text: wellFormed(thinking) });
		content.push(...decodeTextContent(message.content, `${param}.content`, this.#warnings));
		if (message.refusal) content.push(toText(message.refusal));
		for (const [at, call] of (message.tool_calls ?? []).entries()) {
			content.push(decodeToolCall(call, `${param}.tool_calls[${at}]`, `call_${index}_${at}`));
		}
		if (message.function_call) {
			const call = toCall(`call_${index}`, message.function_call);
			this.#functionCalls ??= new Map();
			this.#functionCalls.set(call.name, call.id);
			content.push(call);
		}
		this.conversation.add({ role: "assistant", content });
	}

	#addResult(message: ChatMessage, param: string, callId: string): void {
		const content = decodeContent(message.content, `${param}.content`, this.#warnings);
		const result = { type: "tool-result" as const, callId, content, isError: message.is_error ?? false };
		this.conversation.add({ role: "tool", content: [result] });
	}

	#functionCallId({ name }: ChatMessage, param: string): string {
		if (!name) throw invalid(`${param}.name`, "is required and must be a string");
		return this.#functionCalls?.get(name) ?? name;
	}
}

function spokenBy(name: string, [first, ...others]: UserMessage["content"]): UserMessage["content"] {
	if (!first) return [];
	const spoken = first.type === "text" ? [toText(`${name}: ${first.text}`)] : [toText(`${name}:`), first];
	return [...spoken, ...others];
}

function toolCallId({ tool_call_id: id }: ChatMessage, param: string): string {
	if (typeof id !== "string") throw invalid(`${param}.tool_call_id`, "is required and must be a string");
	return id;
}

/** A call in the history, of any kind of tool: it is not called again. */
function decodeToolCall(call: ChatToolCall, param: string, fallbackId: string): ToolCallPart {
	const id = call.id || fallbackId;
	if (call.function) return toCall(id, call.function);
	if (!call.custom) throw invalid(`${param}.function`, "is required and must be an object");
	return { type: "tool-call", id, name: call.custom.name, arguments: wellFormed(call.custom.input ?? "") };
}

function toCall(id: string, { name, arguments: given }: ChatFunctionCall): ToolCallPart {
	return { type: "tool-call", id, name, arguments: argumentsText(given) };
}
