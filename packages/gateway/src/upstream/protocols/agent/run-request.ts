import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
	AgentMode,
	type ConversationStateStructure,
	ConversationStateStructureSchema,
	SelectedContextSchema,
} from "@cursorwire/protocol/agent";
import { atOnce, SLICE_LENGTH, type Sliced, stretches } from "../../../time/slices.ts";
import {
	type TextPart,
	type ToolDefinition,
	type TurnMessage,
	type TurnMode,
	type TurnRequest,
	textOf,
	type UserMessage,
} from "../../../turn/request.ts";
import { choiceRule, offeredTools, SEARCH_RULE } from "../../writing/offered-tools.ts";
import type { ToolNames } from "../../writing/tool-names.ts";
import type { RunPlan, SystemPromptChannel } from "../driver.ts";
import { hex, type RunBlobs } from "./blobs.ts";
import {
	isSystemEntry,
	NO_HISTORY,
	type RebuiltHistory,
	rebuildHistory,
	rebuiltState,
	type SystemEntry,
	systemEntry,
} from "./history.ts";
import { type SelectedImage, selectedImage } from "./images.ts";
import { MessagePieces } from "./message-pieces.ts";
import { AGENT_MODES } from "./modes.ts";
import { type OfferedContext, offeredContext } from "./request-context.ts";

export interface PreparedRun {
	/** The tools that the model gets to see. */
	tools: readonly ToolDefinition[];
	names: ToolNames;
	/** The request context, serialised: sent with the action, and again if the server asks for it. */
	context: Uint8Array;
	/** The first message of the run. */
	first: Uint8Array;
	/** The first message of a stream that goes on from a checkpoint, after the last one was lost. */
	resume(checkpoint: ConversationStateStructure): Uint8Array;
}

/** Parts of a first message that grow with the conversation: made beforehand, and once for all attempts. */
interface PreparedParts {
	history: RebuiltHistory | undefined;
	newest: MessagePieces | undefined;
	/** How the system prompt travels, and what follows from that. */
	systemPrompt: SystemPromptChannel;
	system: SystemEntry | undefined;
	offered: OfferedContext;
}

const prepared = new WeakMap<TurnRequest, PreparedParts>();

/** Whether a run is one short message, as first messages usually are: then there is nothing to do beforehand. */
export function isShort({ request: { messages, system }, stored }: RunPlan): boolean {
	const [only] = messages;
	return !stored && messages.length === 1 && system.length === 0 && only?.role === "user" && isPlain(only);
}

function shortParts(plan: RunPlan): PreparedParts {
	const { request, systemPrompt } = plan;
	const newest = plainUserMessage(request.messages[0] as UserMessage, request.mode);
	const system = systemOf(plan);
	const offered = offeredContext(plan, system, offeredTools(request));
	const isRoot = system.length > 0 && (systemPrompt === "root" || systemPrompt === "all");
	return {
		history: NO_HISTORY,
		newest,
		systemPrompt,
		system: isRoot ? atOnce(systemEntry(system)) : undefined,
		offered,
	};
}

/** Does what takes long about a run, so that `prepareRun` does not have to do it in one go. */
export function* prepareParts(plan: RunPlan): Sliced<PreparedParts> {
	const { request, stored, systemPrompt } = plan;
	const known = prepared.get(request);
	const { history, newest } = splitNewest(request.messages);
	const system = systemOf(plan);
	const offered = offeredContext(plan, system, offeredTools(request));
	const isRoot = systemPrompt === "root" || systemPrompt === "all";
	const parts: PreparedParts = {
		history: known?.history ?? (stored ? undefined : yield* rebuildHistory(history, offered.names)),
		newest: known?.newest ?? (newest && (yield* userMessage(newest, request.mode))),
		systemPrompt,
		system: isRoot ? yield* systemEntry(system) : undefined,
		offered,
	};
	prepared.set(request, parts);
	yield;
	return parts;
}

function partsOf(plan: RunPlan): PreparedParts {
	const known = prepared.get(plan.request);
	const isFitting = known?.systemPrompt === plan.systemPrompt && (plan.stored || known.history);
	if (isFitting) return known;
	return isShort(plan) ? shortParts(plan) : atOnce(prepareParts(plan));
}

const systemOf = ({ request, searchesWeb }: RunPlan): string[] => [
	...request.system,
	...choiceRule(request.toolChoice),
	...(searchesWeb && request.webSearch?.isDemanded ? [SEARCH_RULE] : []),
];

/** Prepares a run. What its first message refers to is put into `blobs`. */
export function prepareRun(plan: RunPlan, blobs: RunBlobs): PreparedRun {
	const { request } = plan;
	const { history, newest, system, offered } = partsOf(plan);
	if (system) blobs.load(new Map([[hex(system.id), system.blob]]));
	blobs.load((plan.stored ?? (history as RebuiltHistory)).blobs);
	const conversation = plan.stored
		? storedState(plan.stored.state, system, blobs)
		: rebuiltState(system, history as RebuiltHistory);
	const state = inMode(conversation, request.mode);
	const customPrompt = plan.systemPrompt === "custom" ? systemOf(plan).join("\n\n") : "";
	return {
		tools: offered.definitions,
		names: offered.names,
		context: offered.context,
		first: runMessage(plan, offered, state, action(newest, offered.context), customPrompt),
		resume: (checkpoint) =>
			runMessage(
				plan,
				offered,
				toBinary(ConversationStateStructureSchema, checkpoint),
				action(undefined, offered.context),
				customPrompt,
			),
	};
}

/** The state as it was left, but with the system prompt of this request: a client may have changed it since. */
function storedState(state: Uint8Array, system: SystemEntry | undefined, blobs: RunBlobs): Uint8Array {
	const message = fromBinary(ConversationStateStructureSchema, state);
	const firstOther = message.rootPromptMessagesJson.findIndex((id) => !isSystemEntry(blobs.get(id)));
	const others = firstOther < 0 ? [] : message.rootPromptMessagesJson.slice(firstOther);
	message.rootPromptMessagesJson = system ? [system.id, ...others] : others;
	return toBinary(ConversationStateStructureSchema, message);
}

// These messages are written by hand, field by field: they open every run, and a generated message of thirty fields costs
// more to fill than everything else about it. A test holds them to the schema.

const RESUME_ACTION = 2;
const USER_MESSAGE_ACTION = 1;

function runMessage(
	{ conversationId, runId, model }: RunPlan,
	{ tools }: OfferedContext,
	state: Uint8Array | MessagePieces,
	conversationAction: MessagePieces,
	customPrompt: string,
): Uint8Array {
	const request = new MessagePieces()
		.embed(1, state)
		.embed(2, conversationAction)
		.embed(4, tools)
		.text(5, conversationId)
		.text(8, customPrompt)
		.embed(9, requestedModel(model))
		.text(25, runId);
	return new MessagePieces().embed(1, request).finish();
}

function requestedModel({ id, maxMode, parameters }: RunPlan["model"]): MessagePieces {
	const model = new MessagePieces().text(1, id);
	if (maxMode) model.varint(2, 1);
	for (const name in parameters) model.embed(3, new MessagePieces().text(1, name).text(2, parameters[name]!));
	return model;
}

/** What the run is to do: answer a message, or go on where the history ends. */
function action(newest: MessagePieces | undefined, context: Uint8Array): MessagePieces {
	const body = new MessagePieces();
	if (newest) body.embed(1, newest);
	body.embed(2, context);
	return new MessagePieces().embed(newest ? USER_MESSAGE_ACTION : RESUME_ACTION, body);
}

/** The state with a mode that was asked for as its field 10: a run that resumes has no message that could name it. */
function inMode(state: Uint8Array | MessagePieces, mode: TurnMode | undefined): Uint8Array | MessagePieces {
	const value = mode && AGENT_MODES[mode];
	if (value === undefined) return state;
	const pieces = state instanceof MessagePieces ? state : new MessagePieces().raw(state);
	return pieces.varint(10, value);
}

/** Whether a message is one short text. */
function isPlain({ content }: UserMessage): boolean {
	const [first] = content;
	return content.length === 1 && first?.type === "text" && first.text.length <= SLICE_LENGTH;
}

function plainUserMessage({ content }: UserMessage, mode: TurnMode = "agent"): MessagePieces {
	return new MessagePieces().text(1, (content[0] as TextPart).text).varint(4, modeNumber(mode));
}

const modeNumber = (mode: TurnMode): number => AGENT_MODES[mode] ?? AgentMode.AGENT;

function* userMessage({ content }: UserMessage, mode: TurnMode = "agent"): Sliced<MessagePieces> {
	const user = new MessagePieces();
	const text = textOf(content);
	if (text.length <= SLICE_LENGTH) user.text(1, text);
	else user.embed(1, yield* utf8Pieces(text));
	const selectedImages: SelectedImage[] = [];
	for (const part of content) if (part.type === "image") selectedImages.push(yield* selectedImage(part));
	if (selectedImages.length > 0) {
		user.embed(3, toBinary(SelectedContextSchema, create(SelectedContextSchema, { selectedImages })));
	}
	return user.varint(4, modeNumber(mode));
}

/** A long text takes a tenth of a second to encode. */
function* utf8Pieces(text: string): Sliced<MessagePieces> {
	const pieces = new MessagePieces();
	for (const stretch of stretches(text)) {
		pieces.raw(Buffer.from(stretch));
		yield;
	}
	return pieces;
}

/** The message that the run answers, and all before it. A history that ends with a tool result is resumed. */
function splitNewest(messages: readonly TurnMessage[]): {
	history: readonly TurnMessage[];
	newest: UserMessage | undefined;
} {
	const last = messages.at(-1);
	if (last?.role !== "user") return { history: messages, newest: undefined };
	return { history: messages.slice(0, -1), newest: last };
}
