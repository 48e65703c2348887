import type { Sliced } from "../../time/slices.ts";
import type { AssistantMessage, ThinkingPart, TurnMessage } from "../../turn/request.ts";
import type { Sealer } from "../dialect.ts";
import { Conversation, type DecodedMessages } from "../shared/conversation.ts";
import { invalid } from "../shared/invalid.ts";
import { argumentsText } from "../shared/tools.ts";
import type { Warnings } from "../shared/warnings.ts";
import { toText, wellFormed } from "../shared/well-formed.ts";
import { SUMMARY_REQUEST, summaryText } from "./compaction.ts";
import { openSummary } from "./compaction-input.ts";
import { decodeContent, decodeTextContent } from "./decode-parts.ts";
import type { PlacedItem } from "./earlier.ts";
import type { ItemOf } from "./schema.ts";
import { flatName } from "./tool-names.ts";

/** A whole conversation in a form that only OpenAI can read: without it the conversation would be lost. */
const REFUSED: ReadonlySet<string> = new Set(["context_compaction"]);

/** The conversation in neutral form, as the client tells it. Repairs come afterwards. */
export function* decodeMessages(
	instructions: string | null | undefined,
	items: readonly PlacedItem[],
	warnings: Warnings,
	sealer?: Sealer,
): Sliced<DecodedMessages> {
	const decoder = new MessageDecoder(warnings, sealer);
	if (instructions) decoder.addInstructions(instructions);
	for (const item of items) {
		decoder.add(item);
		yield;
	}
	return decoder.conversation.finish();
}

class MessageDecoder {
	readonly conversation = new Conversation();
	readonly #warnings: Warnings;
	readonly #sealer: Sealer | undefined;
	/** Thinking that waits for what was said or called after it. */
	#thinking: ThinkingPart[] = [];

	constructor(warnings: Warnings, sealer: Sealer | undefined) {
		this.#warnings = warnings;
		this.#sealer = sealer;
	}

	addInstructions(text: string): void {
		this.conversation.addSystem([toText(text)]);
	}

	add({ item, param }: PlacedItem): void {
		switch (item.type) {
			case "message":
				return this.#addMessage(item, `${param}.content`);
			case "function_call":
				return this.#addCall(item, argumentsText(item.arguments));
			case "custom_tool_call":
				return this.#addCall(item, wellFormed(item.input ?? ""));
			case "function_call_output":
			case "custom_tool_call_output":
				return this.#addResult(item, `${param}.output`);
			case "reasoning":
				return this.#addReasoning(item, param);
			case "compaction":
			case "compaction_summary":
				return this.#addUser([toText(summaryText(openSummary(this.#sealer, item.encrypted_content, param)))]);
			case "compaction_trigger":
				return this.#addUser([toText(SUMMARY_REQUEST)]);
			case "other":
				return this.#leaveAside(item.given, param);
			// `decodeTools` reads the tools, and `expandInput` has replaced the references.
			case "additional_tools":
			case "item_reference":
				return;
		}
	}

	#addMessage({ role, content }: ItemOf<"message">, param: string): void {
		if (role === "assistant") return this.#addAssistant(decodeTextContent(content, param, this.#warnings));
		if (role === "user") return this.#addUser(decodeContent(content, param, this.#warnings));
		this.conversation.addSystem(decodeTextContent(content, param, this.#warnings));
	}

	#addUser(content: Extract<TurnMessage, { role: "user" }>["content"]): void {
		this.#thinking = [];
		this.conversation.add({ role: "user", content });
	}

	#addAssistant(content: AssistantMessage["content"]): void {
		this.conversation.add({ role: "assistant", content: [...this.#thinking, ...content] });
		this.#thinking = [];
	}

	#addCall(item: ItemOf<"function_call" | "custom_tool_call">, text: string): void {
		const name = flatName(item.name, item.namespace);
		this.#addAssistant([{ type: "tool-call", id: item.call_id, name, arguments: text }]);
	}

	#addResult(item: ItemOf<"function_call_output" | "custom_tool_call_output">, param: string): void {
		this.#thinking = [];
		const content = decodeContent(item.output, param, this.#warnings);
		this.conversation.add({
			role: "tool",
			content: [{ type: "tool-result", callId: item.call_id, content, isError: false }],
		});
	}

	/** Encrypted content is a constant of ours or unreadable here, so it is of no use to the model. */
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
