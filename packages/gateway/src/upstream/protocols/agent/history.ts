import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { ConversationStepSchema, ConversationTurnStructureSchema, UserMessageSchema } from "@cursorwire/protocol/agent";
import { joinBytes } from "../../../text/join-bytes.ts";
import { jsonBytes } from "../../../text/json-pieces.ts";
import type { Sliced } from "../../../time/slices.ts";
import {
	type AssistantMessage,
	type ToolCallPart,
	type ToolResultPart,
	type TurnMessage,
	textOf,
	type UserMessage,
} from "../../../turn/request.ts";
import { CallIds } from "../../writing/call-ids.ts";
import { valueOfJson } from "../../writing/proto-value.ts";
import { argumentsObject } from "../../writing/tool-arguments.ts";
import type { ToolNames } from "../../writing/tool-names.ts";
import { blobId, hex } from "./blobs.ts";
import { imageJson, type SelectedImage, selectedImage } from "./images.ts";
import { MessagePieces } from "./message-pieces.ts";

type StepInit = MessageInitShape<typeof ConversationStepSchema>["message"];

/** A conversation rebuilt. */
export interface RebuiltHistory {
	/** Fields of the conversation's state: the ids of the messages that the model sees and of the turns that are shown. */
	state: Uint8Array;
	/** What the ids name, by hexadecimal id. */
	blobs: ReadonlyMap<string, Uint8Array>;
}

export const NO_HISTORY: RebuiltHistory = { state: new Uint8Array(), blobs: new Map() };

/** Rebuilds it from the client's own messages. Calls stay calls; written out as prose, models would imitate the prose. */
export function* rebuildHistory(messages: readonly TurnMessage[], names: ToolNames): Sliced<RebuiltHistory> {
	if (messages.length === 0) return NO_HISTORY;
	const builder = new HistoryBuilder(names);
	for (const message of messages) {
		yield* builder.add(message);
		yield;
	}
	return yield* builder.finish();
}

const ROOT_MESSAGES = 1;
const TURNS = 8;

/** The state as it is serialised. The system prompt stands before everything else. */
export function rebuiltState(system: SystemEntry | undefined, history: RebuiltHistory): MessagePieces {
	const state = new MessagePieces();
	if (system) state.embed(ROOT_MESSAGES, system.id);
	return state.raw(history.state);
}

/** The system prompt as a prompt message, and its id. */
export interface SystemEntry {
	id: Uint8Array;
	blob: Uint8Array;
}

const SYSTEM_ENTRY = '{"role":"system",';

export function* systemEntry(system: readonly string[]): Sliced<SystemEntry | undefined> {
	if (system.length === 0) return undefined;
	const blob = yield* joinBytes(yield* jsonBytes({ role: "system", content: system.join("\n\n") }));
	return { id: yield* blobId(blob), blob };
}

export function isSystemEntry(blob: Uint8Array | undefined): boolean {
	return blob !== undefined && Buffer.from(blob.subarray(0, SYSTEM_ENTRY.length)).toString() === SYSTEM_ENTRY;
}

const ID_BYTES = 32;
/** Between two pauses. */
const IDS_AT_ONCE = 8192;

/** A field for each id: its tag, its length, and the id. */
function* idFields(field: number, ids: readonly Uint8Array[]): Sliced<Uint8Array> {
	const fields = Buffer.alloc(ids.length * (2 + ID_BYTES));
	for (const [index, id] of ids.entries()) {
		const start = index * (2 + ID_BYTES);
		fields[start] = (field << 3) | WireType.LengthDelimited;
		fields[start + 1] = ID_BYTES;
		fields.set(id, start + 2);
		if (index % IDS_AT_ONCE === 0) yield;
	}
	return fields;
}

class HistoryBuilder {
	readonly #names: ToolNames;
	readonly #ids = new CallIds();
	readonly #calls = new Map<string, ToolCallPart>();
	readonly #roots: Uint8Array[] = [];
	readonly #turns: Uint8Array[] = [];
	readonly #blobs = new Map<string, Uint8Array>();
	#turn: { user: Uint8Array; steps: Uint8Array[] } | undefined;

	constructor(names: ToolNames) {
		this.#names = names;
	}

	*add(message: TurnMessage): Sliced<void> {
		if (message.role === "user") yield* this.#user(message);
		else if (message.role === "assistant") yield* this.#assistant(message);
		else for (const part of message.content) yield* this.#result(part);
	}

	*finish(): Sliced<RebuiltHistory> {
		yield* this.#closeTurn();
		const fields = [yield* idFields(ROOT_MESSAGES, this.#roots), yield* idFields(TURNS, this.#turns)];
		return { state: Buffer.concat(fields), blobs: this.#blobs };
	}

	*#root(message: object): Sliced<void> {
		const pieces = yield* jsonBytes(message);
		this.#roots.push(yield* this.#blob(pieces.length === 1 ? pieces[0]! : yield* joinBytes(pieces)));
	}

	*#blob(data: Uint8Array): Sliced<Uint8Array> {
		const id = yield* blobId(data);
		this.#blobs.set(hex(id), data);
		return id;
	}

	*#user({ content }: UserMessage): Sliced<void> {
		yield* this.#closeTurn();
		yield* this.#root({
			role: "user",
			content: content.map((part) => (part.type === "image" ? imageJson(part) : part)),
		});
		const selectedImages: SelectedImage[] = [];
		for (const part of content) if (part.type === "image") selectedImages.push(yield* selectedImage(part));
		const message = create(UserMessageSchema, {
			text: textOf(content),
			...(selectedImages.length > 0 && { selectedContext: { selectedImages } }),
		});
		this.#turn = { user: yield* this.#blob(toBinary(UserMessageSchema, message)), steps: [] };
	}

	*#assistant({ content }: AssistantMessage): Sliced<void> {
		const parts: object[] = [];
		for (const part of content) {
			yield;
			// Thinking is not sent back: a provider refuses a signature that is not its own, and models do without.
			if (part.type === "thinking") continue;
			if (part.type === "text") yield* this.#step({ case: "assistantMessage", value: { text: part.text } });
			else this.#calls.set(part.id, part);
			parts.push(part.type === "text" ? part : yield* this.#callJson(part));
		}
		if (parts.length > 0) yield* this.#root({ role: "assistant", content: parts });
	}

	*#callJson(part: ToolCallPart): Sliced<object> {
		return {
			type: "tool-call",
			toolCallId: this.#ids.clean(part.id),
			toolName: this.#names.wire(part.name),
			args: yield* argumentsObject(part.arguments),
		};
	}

	*#result(part: ToolResultPart): Sliced<void> {
		const call = this.#calls.get(part.callId);
		const toolCallId = this.#ids.clean(part.callId);
		const toolName = this.#names.wire(call?.name ?? "tool");
		const result = textOf(part.content);
		const isError = part.isError ? { isError: true } : {};
		yield* this.#root({
			role: "tool",
			id: toolCallId,
			content: [{ type: "tool-result", toolName, toolCallId, result, ...isError }],
		});
		yield* this.#resultImages(part, toolName);
		if (call) yield* this.#toolStep(call, part, toolCallId);
	}

	/** A tool message of this form holds text only; images follow as a message that holds nothing else. */
	*#resultImages(part: ToolResultPart, toolName: string): Sliced<void> {
		const images = part.content.flatMap((each) => (each.type === "image" ? [imageJson(each)] : []));
		if (images.length === 0) return;
		yield* this.#root({ role: "user", content: [{ type: "text", text: `Image from ${toolName}:` }, ...images] });
	}

	*#toolStep(call: ToolCallPart, result: ToolResultPart, toolCallId: string): Sliced<void> {
		const name = this.#names.wire(call.name);
		const given = yield* argumentsObject(call.arguments);
		const args = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, valueOfJson(value)]));
		const content = [{ content: { case: "text" as const, value: { text: textOf(result.content) } } }];
		const success = { content, isError: result.isError };
		yield* this.#step({
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

	*#step(message: StepInit): Sliced<void> {
		const id = yield* this.#blob(toBinary(ConversationStepSchema, create(ConversationStepSchema, { message })));
		this.#turn?.steps.push(id);
	}

	*#closeTurn(): Sliced<void> {
		if (!this.#turn) return;
		const { user, steps } = this.#turn;
		const turn = create(ConversationTurnStructureSchema, {
			turn: { case: "agentConversationTurn", value: { userMessage: user, steps } },
		});
		this.#turns.push(yield* this.#blob(toBinary(ConversationTurnStructureSchema, turn)));
		this.#turn = undefined;
	}
}
