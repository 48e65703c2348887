import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { ConversationStepSchema, ConversationTurnStructureSchema, UserMessageSchema } from "@cursorwire/protocol/agent";
import {
	type AssistantMessage,
	type ToolCallPart,
	type ToolResultPart,
	type TurnMessage,
	textOf,
	type UserMessage,
} from "../../turn/request.ts";
import { CallIds } from "../call-ids.ts";
import { valueOfJson } from "../proto-value.ts";
import { argumentsObject } from "../tool-arguments.ts";
import type { ToolNames } from "../tool-names.ts";
import type { RunBlobs } from "./blobs.ts";
import { imageJson, selectedImage } from "./images.ts";

type StepInit = MessageInitShape<typeof ConversationStepSchema>["message"];

/**
 * A conversation rebuilt from the client's own messages: the prompt messages that the model sees, and the turns that
 * are shown. Both refer to blobs. Calls stay calls; written out as prose, models would imitate the prose.
 */
export function rebuildState(
	system: readonly string[],
	messages: readonly TurnMessage[],
	names: ToolNames,
	blobs: RunBlobs,
): Uint8Array {
	const builder = new HistoryBuilder(names, blobs, systemEntries(system, blobs));
	for (const message of messages) builder.add(message);
	return builder.finish();
}

const SYSTEM_ENTRY = '{"role":"system",';

/** The system prompt as a prompt message, kept as a blob. */
export function systemEntries(system: readonly string[], blobs: RunBlobs): Uint8Array[] {
	if (system.length === 0) return [];
	return [blobs.add(Buffer.from(`${SYSTEM_ENTRY}"content":${JSON.stringify(system.join("\n\n"))}}`))];
}

export function isSystemEntry(blob: Uint8Array | undefined): boolean {
	return blob !== undefined && Buffer.from(blob.subarray(0, SYSTEM_ENTRY.length)).toString() === SYSTEM_ENTRY;
}

class HistoryBuilder {
	readonly #names: ToolNames;
	readonly #blobs: RunBlobs;
	readonly #ids = new CallIds();
	readonly #calls = new Map<string, ToolCallPart>();
	readonly #roots: Uint8Array[];
	readonly #turns: Uint8Array[] = [];
	#turn: { user: Uint8Array; steps: Uint8Array[] } | undefined;

	constructor(names: ToolNames, blobs: RunBlobs, roots: Uint8Array[]) {
		this.#names = names;
		this.#blobs = blobs;
		this.#roots = [...roots];
	}

	root(message: object): void {
		this.#roots.push(this.#blobs.add(Buffer.from(JSON.stringify(message))));
	}

	add(message: TurnMessage): void {
		if (message.role === "user") this.#user(message);
		else if (message.role === "assistant") this.#assistant(message);
		else for (const part of message.content) this.#result(part);
	}

	/** The serialised state: root messages (1) and turns (8), by the ids of their blobs. */
	finish(): Uint8Array {
		this.#closeTurn();
		const writer = new BinaryWriter();
		for (const id of this.#roots) writer.tag(1, WireType.LengthDelimited).bytes(id);
		for (const id of this.#turns) writer.tag(8, WireType.LengthDelimited).bytes(id);
		return writer.finish();
	}

	#user({ content }: UserMessage): void {
		this.#closeTurn();
		this.root({ role: "user", content: content.map((part) => (part.type === "image" ? imageJson(part) : part)) });
		const images = content.flatMap((part) => (part.type === "image" ? [selectedImage(part)] : []));
		const message = create(UserMessageSchema, {
			text: textOf(content),
			...(images.length > 0 && { selectedContext: { selectedImages: images } }),
		});
		this.#turn = { user: this.#blobs.add(toBinary(UserMessageSchema, message)), steps: [] };
	}

	#assistant({ content }: AssistantMessage): void {
		const parts = content.flatMap((part): object[] => {
			if (part.type === "text") {
				this.#step({ case: "assistantMessage", value: { text: part.text } });
				return [part];
			}
			if (part.type === "tool-call") {
				this.#calls.set(part.id, part);
				return [this.#callJson(part)];
			}
			// Thinking is not sent back: a provider refuses a signature that is not its own, and models do without.
			return [];
		});
		if (parts.length > 0) this.root({ role: "assistant", content: parts });
	}

	#callJson(part: ToolCallPart): object {
		return {
			type: "tool-call",
			toolCallId: this.#ids.clean(part.id),
			toolName: this.#names.wire(part.name),
			args: argumentsObject(part.arguments),
		};
	}

	#result(part: ToolResultPart): void {
		const call = this.#calls.get(part.callId);
		const toolCallId = this.#ids.clean(part.callId);
		const toolName = this.#names.wire(call?.name ?? "tool");
		const result = textOf(part.content);
		const isError = part.isError ? { isError: true } : {};
		this.root({
			role: "tool",
			id: toolCallId,
			content: [{ type: "tool-result", toolName, toolCallId, result, ...isError }],
		});
		this.#resultImages(part, toolName);
		if (call) this.#toolStep(call, part, toolCallId);
	}

	/** A tool message of this form holds text only; images follow as a message that holds nothing else. */
	#resultImages(part: ToolResultPart, toolName: string): void {
		const images = part.content.flatMap((each) => (each.type === "image" ? [imageJson(each)] : []));
		if (images.length === 0) return;
		this.root({ role: "user", content: [{ type: "text", text: `Image from ${toolName}:` }, ...images] });
	}

	#toolStep(call: ToolCallPart, result: ToolResultPart, toolCallId: string): void {
		const name = this.#names.wire(call.name);
		const args = Object.fromEntries(
			Object.entries(argumentsObject(call.arguments)).map(([key, value]) => [key, valueOfJson(value)]),
		);
		const content = [{ content: { case: "text" as const, value: { text: textOf(result.content) } } }];
		const success = { content, isError: result.isError };
		this.#step({
			case: "toolCall",
			value: {
				toolCallId,
				tool: {
					case: "mcpToolCall",
					value: {
						args: { name, toolName: name, toolCallId, args },
						result: { result: { case: "success", value: success } },
					},
				},
			},
		});
	}

	#step(message: StepInit): void {
		this.#turn?.steps.push(
			this.#blobs.add(toBinary(ConversationStepSchema, create(ConversationStepSchema, { message }))),
		);
	}

	#closeTurn(): void {
		if (!this.#turn) return;
		const { user, steps } = this.#turn;
		const turn = create(ConversationTurnStructureSchema, {
			turn: { case: "agentConversationTurn", value: { userMessage: user, steps } },
		});
		this.#turns.push(this.#blobs.add(toBinary(ConversationTurnStructureSchema, turn)));
		this.#turn = undefined;
	}
}
