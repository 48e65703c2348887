import type { Sliced } from "../../time/slices.ts";
import { reminderMessage } from "../../turn/reminders.ts";
import type { AssistantMessage, ToolCallPart, TurnMessage, UserMessage } from "../../turn/request.ts";
import { invalid } from "../shared/invalid.ts";
import type { Warnings } from "../shared/warnings.ts";
import { toText, wellFormed } from "../shared/well-formed.ts";
import { decodeContent, decodeTextContent } from "./decode-parts.ts";
import type { ChatFunctionCall, ChatMessage, ChatToolCall } from "./schema.ts";

export interface DecodedMessages {
	system: string[];
	messages: TurnMessage[];
}

/** The conversation in neutral form, as the client tells it; repairs come afterwards. */
export function* decodeMessages(messages: readonly ChatMessage[], warnings: Warnings): Sliced<DecodedMessages> {
	const decoder = new MessageDecoder(warnings);
	for (const [index, message] of messages.entries()) {
		decoder.add(message, index);
		yield;
	}
	return decoder.finish();
}

class MessageDecoder {
	readonly #warnings: Warnings;
	readonly #system: string[] = [];
	readonly #messages: TurnMessage[] = [];
	/** Ids of the last call by `function_call`, by the name of the function: its result names nothing else. */
	readonly #functionCalls = new Map<string, string>();
	#hasUserSpoken = false;

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

	finish(): DecodedMessages {
		// A prompt of system messages alone still asks for an answer.
		const last = this.#messages.length === 0 ? this.#system.pop() : undefined;
		if (last !== undefined) this.#messages.push({ role: "user", content: [toText(last)] });
		return { system: this.#system, messages: this.#messages };
	}

	/** What stands before the user's first words is the system prompt; later it is a reminder. */
	#addSystem({ content }: ChatMessage, param: string): void {
		const parts = decodeTextContent(content, `${param}.content`, this.#warnings);
		if (this.#hasUserSpoken) this.#messages.push(reminderMessage(parts));
		else this.#system.push(...parts.map(({ text }) => text).filter((text) => text !== ""));
	}

	/** The upstream has no field for a speaker's name, so it is told as it would be in a script. */
	#addUser({ content, name }: ChatMessage, param: string): void {
		this.#hasUserSpoken = true;
		const parts = decodeContent(content, `${param}.content`, this.#warnings);
		this.#messages.push({ role: "user", content: name ? spokenBy(name, parts) : parts });
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
			this.#functionCalls.set(call.name, call.id);
			content.push(call);
		}
		this.#messages.push({ role: "assistant", content });
	}

	#addResult(message: ChatMessage, param: string, callId: string): void {
		this.#hasUserSpoken = true;
		const content = decodeContent(message.content, `${param}.content`, this.#warnings);
		const result = { type: "tool-result" as const, callId, content, isError: message.is_error ?? false };
		this.#messages.push({ role: "tool", content: [result] });
	}

	#functionCallId({ name }: ChatMessage, param: string): string {
		if (!name) throw invalid(`${param}.name`, "is required and must be a string");
		return this.#functionCalls.get(name) ?? name;
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

/** A call in the history. It is never called again, so any kind of tool will do. */
function decodeToolCall(call: ChatToolCall, param: string, fallbackId: string): ToolCallPart {
	const id = call.id || fallbackId;
	if (call.function) return toCall(id, call.function);
	if (!call.custom) throw invalid(`${param}.function`, "is required and must be an object");
	return { type: "tool-call", id, name: call.custom.name, arguments: wellFormed(call.custom.input ?? "") };
}

function toCall(id: string, { name, arguments: given }: ChatFunctionCall): ToolCallPart {
	const text = typeof given === "string" ? wellFormed(given) : JSON.stringify(given ?? {});
	return { type: "tool-call", id, name, arguments: text.trim() === "" ? "{}" : text };
}
