import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
	AgentMode,
	type ConversationStateStructure,
	ConversationStateStructureSchema,
	SelectedContextSchema,
} from "@cursorwire/protocol/agent";
import { type ToolDefinition, type TurnMessage, textOf, type UserMessage } from "../../turn/request.ts";
import type { RunPlan } from "../driver.ts";
import { choiceRule, offeredTools } from "../offered-tools.ts";
import type { StoredConversation } from "../stored-conversation.ts";
import { ToolNames } from "../tool-names.ts";
import type { RunBlobs } from "./blobs.ts";
import { isSystemEntry, rebuildState, systemEntries } from "./history.ts";
import { selectedImage } from "./images.ts";
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

/** Prepares a run. What its first message refers to is put into `blobs`. */
export function prepareRun(plan: RunPlan, blobs: RunBlobs): PreparedRun {
	const { request } = plan;
	const tools = offeredTools(request);
	const names = new ToolNames(tools);
	const system = [...request.system, ...choiceRule(request.toolChoice)];
	const offered = offeredContext(plan.systemPrompt === "rules" ? system : [], tools, names, plan.environment);
	const { history, newest } = splitNewest(request.messages);
	const rootSystem = plan.systemPrompt === "custom" ? [] : system;
	const state = plan.stored
		? storedState(plan.stored, rootSystem, blobs)
		: rebuildState(rootSystem, history, names, blobs);
	const customPrompt = plan.systemPrompt === "custom" ? system.join("\n\n") : "";
	return {
		tools,
		names,
		context: offered.context,
		first: runMessage(plan, offered, state, action(newest, offered.context), customPrompt),
		resume: (checkpoint) =>
			runMessage(plan, offered, toBinary(ConversationStateStructureSchema, checkpoint), RESUME, customPrompt),
	};
}

/** The state as it was left, but with the system prompt of this request: a client may have changed it since. */
function storedState(
	{ state, blobs: stored }: StoredConversation,
	system: readonly string[],
	blobs: RunBlobs,
): Uint8Array {
	blobs.load(stored);
	const message = fromBinary(ConversationStateStructureSchema, state);
	const firstOther = message.rootPromptMessagesJson.findIndex((id) => !isSystemEntry(blobs.get(id)));
	const others = firstOther < 0 ? [] : message.rootPromptMessagesJson.slice(firstOther);
	message.rootPromptMessagesJson = [...systemEntries(system, blobs), ...others];
	return toBinary(ConversationStateStructureSchema, message);
}

// These messages are written by hand, field by field: they open every run, and a generated message of thirty fields costs
// more to fill than everything else about it. A test holds them to the schema.

const RESUME_ACTION = 2;
const USER_MESSAGE_ACTION = 1;
const RESUME = message((writer) => embed(writer, RESUME_ACTION, new Uint8Array()));

function runMessage(
	{ conversationId, runId, model }: RunPlan,
	{ tools }: OfferedContext,
	state: Uint8Array,
	conversationAction: Uint8Array,
	customPrompt: string,
): Uint8Array {
	const request = message((writer) => {
		embed(writer, 1, state);
		embed(writer, 2, conversationAction);
		embed(writer, 4, tools);
		text(writer, 5, conversationId);
		text(writer, 8, customPrompt);
		embed(writer, 9, requestedModel(model));
		text(writer, 25, runId);
	});
	return message((writer) => embed(writer, 1, request));
}

function requestedModel({ id, maxMode, parameters }: RunPlan["model"]): Uint8Array {
	return message((writer) => {
		text(writer, 1, id);
		if (maxMode) writer.tag(2, WireType.Varint).bool(true);
		for (const [name, value] of Object.entries(parameters)) {
			const parameter = message((inner) => {
				text(inner, 1, name);
				text(inner, 2, value);
			});
			embed(writer, 3, parameter);
		}
	});
}

/** What the run is to do: answer a message, or go on where the history ends. */
function action(newest: UserMessage | undefined, context: Uint8Array): Uint8Array {
	const body = message((writer) => {
		if (newest) embed(writer, 1, userMessage(newest));
		embed(writer, 2, context);
	});
	return message((writer) => embed(writer, newest ? USER_MESSAGE_ACTION : RESUME_ACTION, body));
}

function userMessage({ content }: UserMessage): Uint8Array {
	const selectedImages = content.flatMap((part) => (part.type === "image" ? [selectedImage(part)] : []));
	return message((writer) => {
		text(writer, 1, textOf(content));
		if (selectedImages.length > 0) {
			embed(writer, 3, toBinary(SelectedContextSchema, create(SelectedContextSchema, { selectedImages })));
		}
		writer.tag(4, WireType.Varint).int32(AgentMode.AGENT);
	});
}

function message(write: (writer: BinaryWriter) => void): Uint8Array {
	const writer = new BinaryWriter();
	write(writer);
	return writer.finish();
}

function embed(writer: BinaryWriter, field: number, bytes: Uint8Array): void {
	writer.tag(field, WireType.LengthDelimited).bytes(bytes);
}

/** An empty text is left out, as everywhere in this protocol. */
function text(writer: BinaryWriter, field: number, value: string): void {
	if (value !== "") writer.tag(field, WireType.LengthDelimited).string(value);
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
