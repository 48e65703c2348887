import type { Sliced } from "../../time/slices.ts";
import { isMarkedReminder, reminderMessage } from "../../turn/reminders.ts";
import type { AssistantMessage, ToolCallPart, ToolResultPart, TurnMessage, UserMessage } from "../../turn/request.ts";
import type { Warnings } from "../shared/warnings.ts";
import { toText, wellFormed } from "../shared/well-formed.ts";
import { decodeBlock, decodeTextContent, decodeToolBlock, toBlocks } from "./decode-parts.ts";
import type { MessagesMessage, MessagesRequestBody, ThinkingBlock, ToolResultBlock, ToolUseBlock } from "./schema.ts";
import { OWN_SIGNATURE } from "./signature.ts";

export interface DecodedMessages {
	system: string[];
	messages: TurnMessage[];
}

/** The conversation in neutral form, as the client tells it; repairs come afterwards. */
export function* decodeMessages(
	leading: MessagesRequestBody["system"],
	given: readonly MessagesMessage[],
	warnings: Warnings,
): Sliced<DecodedMessages> {
	const decoder = new MessageDecoder(warnings);
	for (const [index, message] of given.entries()) {
		decoder.add(message, `messages[${index}]`);
		yield;
	}
	const { system, messages } = decoder.finish();
	return { system: [...decodeSystem(leading), ...system], messages };
}

/** Some clients begin with a line for the vendor's bookkeeping. It is not prompt, and it differs in every request. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*\n?/;

function decodeSystem(system: MessagesRequestBody["system"]): string[] {
	const [first, ...others] = typeof system === "string" ? [system] : (system ?? []).map(({ text }) => text);
	if (first === undefined) return [];
	return [first.replace(BILLING_LINE, ""), ...others].filter((text) => text !== "").map(wellFormed);
}

class MessageDecoder {
	readonly #warnings: Warnings;
	readonly #system: string[] = [];
	readonly #messages: TurnMessage[] = [];
	#hasUserSpoken = false;

	constructor(warnings: Warnings) {
		this.#warnings = warnings;
	}

	add(message: MessagesMessage, param: string): void {
		switch (message.role) {
			case "system":
				return this.#addSystem(message, `${param}.content`);
			case "user":
				return this.#addUser(message, `${param}.content`);
			case "assistant":
				return this.#addAssistant(message, `${param}.content`);
		}
	}

	finish(): DecodedMessages {
		// A prompt of system messages alone still asks for an answer.
		const last = this.#messages.length === 0 ? this.#system.pop() : undefined;
		if (last !== undefined) this.#messages.push({ role: "user", content: [toText(last)] });
		return { system: this.#system, messages: this.#messages };
	}

	/** What stands before the user's first words is the system prompt; later it is a reminder. */
	#addSystem({ content }: MessagesMessage, param: string): void {
		const parts = decodeTextContent(content, param, this.#warnings);
		if (this.#hasUserSpoken) this.#messages.push(reminderMessage(parts));
		else this.#system.push(...parts.map(({ text }) => text).filter((text) => text !== ""));
	}

	/** Results of tools come in the user's name, beside what the user says. */
	#addUser({ content }: MessagesMessage, param: string): void {
		this.#hasUserSpoken = true;
		const results: ToolResultPart[] = [];
		const said: UserMessage["content"] = [];
		const blocks = toBlocks(content);
		const isFromTools = blocks.some(({ type }) => type === "tool_result");
		for (const [index, block] of blocks.entries()) {
			const place = `${param}[${index}]`;
			if (block.type === "tool_result") results.push(decodeResult(block, place, this.#warnings));
			else said.push(...(isFromTools ? decodeToolBlock : decodeBlock)(block, place, this.#warnings));
		}
		if (results.length > 0) this.#messages.push({ role: "tool", content: results });
		if (said.length > 0) this.#messages.push(isFromTools ? besideResults(said) : { role: "user", content: said });
	}

	#addAssistant(message: MessagesMessage, param: string): void {
		const content: AssistantMessage["content"] = [];
		for (const [index, block] of toBlocks(message.content).entries()) {
			if (block.type === "tool_use") content.push(decodeCall(block));
			else if (block.type === "thinking") content.push(decodeThinking(block));
			else if (block.type === "redacted_thinking") continue;
			else if (block.type === "text") content.push(toText(block.text));
			else this.#warnings.add(`${param}[${index}]: a block of this type has no meaning here and is left aside`);
		}
		this.#messages.push({ role: "assistant", content });
	}
}

/** What comes with results may be the user who speaks up, or only reminders, which are nothing to answer. */
function besideResults(said: UserMessage["content"]): UserMessage {
	const texts = said.filter((part) => part.type === "text");
	const isReminder = texts.length === said.length && texts.every(({ text }) => isMarkedReminder(text));
	return isReminder ? reminderMessage(texts) : { role: "user", content: said };
}

function decodeResult(block: ToolResultBlock, param: string, warnings: Warnings): ToolResultPart {
	return {
		type: "tool-result",
		callId: block.tool_use_id,
		content: toBlocks(block.content).flatMap((inner, index) =>
			decodeToolBlock(inner, `${param}.content[${index}]`, warnings),
		),
		isError: block.is_error ?? false,
	};
}

/** A call in the history. It is never called again, so any input will do. */
function decodeCall({ id, name, input }: ToolUseBlock): ToolCallPart {
	const text = typeof input === "string" ? wellFormed(input) : JSON.stringify(input ?? {});
	return { type: "tool-call", id, name, arguments: text.trim() === "" ? "{}" : text };
}

function decodeThinking({ thinking, signature }: ThinkingBlock): AssistantMessage["content"][number] {
	const isForeign = signature && signature !== OWN_SIGNATURE;
	return { type: "thinking", text: wellFormed(thinking), ...(isForeign && { signature: wellFormed(signature) }) };
}
