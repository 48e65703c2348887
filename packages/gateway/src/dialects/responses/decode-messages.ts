import type { Sliced } from "../../time/slices.ts";
import { reminderMessage } from "../../turn/reminders.ts";
import type { AssistantMessage, ThinkingPart, TurnMessage } from "../../turn/request.ts";
import { invalid } from "../shared/invalid.ts";
import type { Warnings } from "../shared/warnings.ts";
import { toText, wellFormed } from "../shared/well-formed.ts";
import { decodeContent, decodeTextContent } from "./decode-parts.ts";
import type { PlacedItem } from "./earlier.ts";
import type { ItemOf } from "./schema.ts";
import { flatName } from "./tool-names.ts";

export interface DecodedMessages {
	system: string[];
	messages: TurnMessage[];
}

/** A whole conversation in a form that only its maker can read: to leave it out would lose the conversation. */
const REFUSED: ReadonlySet<string> = new Set(["compaction", "compaction_summary", "context_compaction"]);

/** The conversation in neutral form, as the client tells it; repairs come afterwards. */
export function* decodeMessages(
	instructions: string | null | undefined,
	items: readonly PlacedItem[],
	warnings: Warnings,
): Sliced<DecodedMessages> {
	const decoder = new MessageDecoder(warnings);
	if (instructions) decoder.addInstructions(instructions);
	for (const item of items) {
		decoder.add(item);
		yield;
	}
	return decoder.finish();
}

class MessageDecoder {
	readonly #warnings: Warnings;
	readonly #system: string[] = [];
	readonly #messages: TurnMessage[] = [];
	/** Thinking that waits for what was said or called after it. */
	#thinking: ThinkingPart[] = [];
	#hasUserSpoken = false;

	constructor(warnings: Warnings) {
		this.#warnings = warnings;
	}

	addInstructions(text: string): void {
		this.#system.push(wellFormed(text));
	}

	add({ item, param }: PlacedItem): void {
		switch (item.type) {
			case "message":
				return this.#addMessage(item, `${param}.content`);
			case "function_call":
				return this.#addCall(item, argumentsOf(item));
			case "custom_tool_call":
				return this.#addCall(item, wellFormed(item.input ?? ""));
			case "function_call_output":
			case "custom_tool_call_output":
				return this.#addResult(item, `${param}.output`);
			case "reasoning":
				return this.#addReasoning(item, param);
			case "other":
				return this.#leaveAside(item.given, param);
			// Tools are read elsewhere, and references are replaced before.
			case "additional_tools":
			case "item_reference":
				return;
		}
	}

	finish(): DecodedMessages {
		// A prompt of system messages alone still asks for an answer.
		const last = this.#messages.length === 0 ? this.#system.pop() : undefined;
		if (last !== undefined) this.#messages.push({ role: "user", content: [toText(last)] });
		return { system: this.#system, messages: this.#messages };
	}

	#addMessage({ role, content }: ItemOf<"message">, param: string): void {
		if (role === "assistant") return this.#addAssistant(decodeTextContent(content, param, this.#warnings));
		if (role === "user") return this.#addUser(decodeContent(content, param, this.#warnings));
		// What stands before the user's first words is the system prompt; later it is a reminder.
		const parts = decodeTextContent(content, param, this.#warnings);
		if (this.#hasUserSpoken) this.#messages.push(reminderMessage(parts));
		else this.#system.push(...parts.map(({ text }) => text).filter((text) => text !== ""));
	}

	#addUser(content: Extract<TurnMessage, { role: "user" }>["content"]): void {
		this.#hasUserSpoken = true;
		this.#thinking = [];
		this.#messages.push({ role: "user", content });
	}

	#addAssistant(content: AssistantMessage["content"]): void {
		this.#messages.push({ role: "assistant", content: [...this.#thinking, ...content] });
		this.#thinking = [];
	}

	#addCall(item: ItemOf<"function_call" | "custom_tool_call">, text: string): void {
		const name = flatName(item.name, item.namespace);
		this.#addAssistant([{ type: "tool-call", id: item.call_id, name, arguments: text }]);
	}

	#addResult(item: ItemOf<"function_call_output" | "custom_tool_call_output">, param: string): void {
		this.#hasUserSpoken = true;
		this.#thinking = [];
		const content = decodeContent(item.output, param, this.#warnings);
		this.#messages.push({
			role: "tool",
			content: [{ type: "tool-result", callId: item.call_id, content, isError: false }],
		});
	}

	/** What was encrypted is a constant of ours or another maker's secret: of no use to the model. */
	#addReasoning({ summary, content }: ItemOf<"reasoning">, param: string): void {
		const parts = summary?.length
			? decodeTextContent(summary, `${param}.summary`, this.#warnings)
			: decodeTextContent(content, `${param}.content`, this.#warnings);
		const text = parts.map((part) => part.text).join("\n\n");
		if (text !== "") this.#thinking.push({ type: "thinking", text });
	}

	#leaveAside(type: string, param: string): void {
		if (REFUSED.has(type)) throw invalid(param, "must be a message, a call or an output: compaction cannot be read");
		this.#warnings.add(`${param}: items of this type are not known and are left aside`);
	}
}

function argumentsOf({ arguments: given }: ItemOf<"function_call">): string {
	const text = typeof given === "string" ? wellFormed(given) : JSON.stringify(given ?? {});
	return text.trim() === "" ? "{}" : text;
}
