import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type ConversationStep, ConversationStepSchema, type ToolCall } from "@cursorwire/protocol/agent";
import type { Message, ToolCallPart, ToolResultPart } from "../../brains/brain.ts";

/** What happens in a turn, in the two forms that a checkpoint keeps: prompt messages and steps for display. */
export class Transcript {
	readonly messages: Message[] = [];
	readonly steps: ConversationStep[] = [];

	/** Adds a message that the model did not write. */
	add(message: Message): void {
		this.messages.push(message);
	}

	/** Gives every open call a result, because model providers refuse a history with a call that has none. */
	closeOpenCalls(result: string): void {
		const parts = this.messages.flatMap(({ content }) => content);
		const answered = new Set(parts.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])));
		for (const part of parts) {
			if (part.type !== "tool-call" || answered.has(part.toolCallId)) continue;
			const { toolCallId, toolName } = part;
			this.messages.push({
				role: "tool",
				content: [{ type: "tool-result", toolCallId, toolName, result, isError: true }],
			});
		}
	}

	thinking(text: string): void {
		const part = this.#assistant().content.at(-1);
		if (part?.type === "reasoning") part.text += text;
		else this.#assistant().content.push({ type: "reasoning", text });
		const step = this.steps.at(-1)?.message;
		if (step?.case === "thinkingMessage") step.value.text += text;
		else this.#step({ case: "thinkingMessage", value: { text } });
	}

	text(text: string): void {
		const part = this.#assistant().content.at(-1);
		if (part?.type === "text") part.text += text;
		else this.#assistant().content.push({ type: "text", text });
		const step = this.steps.at(-1)?.message;
		if (step?.case === "assistantMessage") step.value.text += text;
		else this.#step({ case: "assistantMessage", value: { text } });
	}

	call(part: Omit<ToolCallPart, "type">): void {
		this.#assistant().content.push({ ...part, type: "tool-call" });
	}

	result(part: Omit<ToolResultPart, "type">, displayed: ToolCall | undefined): void {
		this.messages.push({ role: "tool", content: [{ type: "tool-result", ...part }] });
		if (displayed) this.#step({ case: "toolCall", value: displayed });
	}

	#assistant(): Message {
		const last = this.messages.at(-1);
		if (last?.role === "assistant") return last;
		const message: Message = { role: "assistant", content: [] };
		this.messages.push(message);
		return message;
	}

	#step(message: MessageInitShape<typeof ConversationStepSchema>["message"]): void {
		this.steps.push(create(ConversationStepSchema, { message }));
	}
}
