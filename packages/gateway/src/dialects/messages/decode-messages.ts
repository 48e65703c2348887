import type { Sliced } from "../../time/slices.ts";
import { isMarkedReminder, reminderMessage } from "../../turn/reminders.ts";
import type { AssistantMessage, ToolCallPart, ToolResultPart, UserMessage } from "../../turn/request.ts";
import { Conversation, type DecodedMessages } from "../shared/conversation.ts";
import { argumentsText } from "../shared/tools.ts";
import type { Warnings } from "../shared/warnings.ts";
import { toText, wellFormed } from "../shared/well-formed.ts";
import { decodeBlock, decodeTextContent, decodeToolBlock, toBlocks } from "./decode-parts.ts";
import type {
	MessagesBlock,
	MessagesMessage,
	MessagesRequestBody,
	ThinkingBlock,
	ToolResultBlock,
	ToolUseBlock,
} from "./schema.ts";
import { OWN_SIGNATURE } from "./signature.ts";

/** The conversation in neutral form, as the client tells it. Repairs come afterwards. */
export function* decodeMessages(
	leading: MessagesRequestBody["system"],
	given: readonly MessagesMessage[],
	warnings: Warnings,
): Sliced<DecodedMessages> {
	const decoder = new MessageDecoder(warnings);
	const lastOfUser = given.findLastIndex(({ role }) => role === "user");
	for (const [index, message] of given.entries()) {
		const isCleared = message.clear_at === "next_user_message" && index < lastOfUser;
		if (!isCleared) decoder.add(message, `messages[${index}]`);
		yield;
	}
	const { system, messages } = decoder.conversation.finish();
	return { system: [...decodeSystem(leading), ...system], messages };
}

/** Some clients begin with a line for the vendor's accounts. It is not part of the prompt, and always differs. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*\n?/;

function decodeSystem(system: MessagesRequestBody["system"]): string[] {
	const [first, ...others] = typeof system === "string" ? [system] : (system ?? []).map(({ text }) => text);
	if (first === undefined) return [];
	return [first.replace(BILLING_LINE, ""), ...others].filter((text) => text !== "").map(wellFormed);
}

class MessageDecoder {
	readonly conversation = new Conversation();
	readonly #warnings: Warnings;

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

	/** What it says about tools is read elsewhere. */
	#addSystem({ content }: MessagesMessage, param: string): void {
		const isChange = ({ type }: MessagesBlock) => type === "tool_addition" || type === "tool_removal";
		const texts = typeof content === "string" ? content : content?.filter((block) => !isChange(block));
		this.conversation.addSystem(decodeTextContent(texts, param, this.#warnings));
	}

	/** Results of tools are in the user's messages, beside what the user says. */
	#addUser({ content }: MessagesMessage, param: string): void {
		this.conversation.userSpeaks();
		const results: ToolResultPart[] = [];
		const said: UserMessage["content"] = [];
		const blocks = toBlocks(content);
		const isFromTools = blocks.some(({ type }) => type === "tool_result");
		for (const [index, block] of blocks.entries()) {
			const place = `${param}[${index}]`;
			if (block.type === "tool_result") results.push(decodeResult(block, place, this.#warnings));
			else said.push(...(isFromTools ? decodeToolBlock : decodeBlock)(block, place, this.#warnings));
		}
		if (results.length > 0) this.conversation.add({ role: "tool", content: results });
		if (said.length > 0) this.conversation.add(isFromTools ? besideResults(said) : { role: "user", content: said });
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
		this.conversation.add({ role: "assistant", content });
	}
}

/** Text beside results may be the user's, or consist only of reminders, which ask for no reply. */
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

/** A call in the history, with any input: it is not called again. */
function decodeCall({ id, name, input }: ToolUseBlock): ToolCallPart {
	return { type: "tool-call", id, name, arguments: argumentsText(input) };
}

function decodeThinking({ thinking, signature }: ThinkingBlock): AssistantMessage["content"][number] {
	const isForeign = signature && signature !== OWN_SIGNATURE;
	return { type: "thinking", text: wellFormed(thinking), ...(isForeign && { signature: wellFormed(signature) }) };
}
