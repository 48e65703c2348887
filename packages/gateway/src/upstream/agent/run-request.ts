import { clone, create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
	AgentMode,
	type AgentRunRequest,
	AgentRunRequestSchema,
	ConversationActionSchema,
	type ConversationStateStructure,
	ConversationStateStructureSchema,
	type RequestContextSchema,
} from "@cursorwire/protocol/agent";
import { type ToolChoice, type TurnMessage, type TurnRequest, textOf, type UserMessage } from "../../turn/request.ts";
import type { RunBlobs } from "./blobs.ts";
import { rebuildState } from "./history.ts";
import { selectedImage } from "./images.ts";
import { type Environment, requestContext, toolDefinitions } from "./request-context.ts";
import { ToolNames } from "./tool-names.ts";

/** How a system prompt travels. `rules` reaches the model on every account; `custom` replaces Cursor's own prompt. */
export type SystemPromptChannel = "rules" | "custom" | "root";

/** A conversation as it was left: the state that Cursor gave us, and the blobs it refers to. */
export interface StoredConversation {
	state: Uint8Array;
	blobs: ReadonlyMap<string, Uint8Array>;
}

export interface RunPlan {
	request: TurnRequest;
	/** Goes on from here with the last message alone; undefined: the whole history travels. */
	stored: StoredConversation | undefined;
	conversationId: string;
	runId: string;
	model: { id: string; parameters: Readonly<Record<string, string>>; maxMode: boolean };
	systemPrompt: SystemPromptChannel;
	environment: Environment;
}

export interface PreparedRun {
	message: AgentRunRequest;
	names: ToolNames;
	context: MessageInitShape<typeof RequestContextSchema>;
}

/** The first message of a run. What it refers to is put into `blobs`. */
export function prepareRun(plan: RunPlan, blobs: RunBlobs): PreparedRun {
	const { request } = plan;
	const offered = offeredTools(request);
	const names = new ToolNames(offered);
	const tools = toolDefinitions(offered, names);
	const system = [...request.system, ...choiceRule(request.toolChoice)];
	const context = requestContext(plan.systemPrompt === "rules" ? system : [], tools, plan.environment);
	const { history, newest } = splitNewest(request.messages);
	const rootSystem = plan.systemPrompt === "custom" ? [] : system;
	const conversationState = plan.stored
		? storedState(plan.stored, blobs)
		: rebuildState(rootSystem, history, names, blobs);
	const message = create(AgentRunRequestSchema, {
		conversationState,
		action: action(newest, context),
		mcpTools: { mcpTools: tools },
		conversationId: plan.conversationId,
		requestedModel: {
			modelId: plan.model.id,
			maxMode: plan.model.maxMode,
			parameters: Object.entries(plan.model.parameters).map(([id, value]) => ({ id, value })),
		},
		runId: plan.runId,
		...(plan.systemPrompt === "custom" && system.length > 0 && { customSystemPrompt: system.join("\n\n") }),
	});
	return { message, names, context };
}

/** The same run again from a checkpoint, after its connection was lost. */
export function resumeRequest(first: AgentRunRequest, checkpoint: ConversationStateStructure): AgentRunRequest {
	const request = clone(AgentRunRequestSchema, first);
	request.conversationState = checkpoint;
	request.action = create(ConversationActionSchema, { action: { case: "resumeAction", value: {} } });
	return request;
}

function storedState({ state, blobs }: StoredConversation, run: RunBlobs): ConversationStateStructure {
	run.load(blobs);
	return fromBinary(ConversationStateStructureSchema, state);
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

function action(
	newest: UserMessage | undefined,
	context: MessageInitShape<typeof RequestContextSchema>,
): MessageInitShape<typeof ConversationActionSchema> {
	if (!newest) return { action: { case: "resumeAction", value: { requestContext: context } } };
	const selectedImages = newest.content.flatMap((part) => (part.type === "image" ? [selectedImage(part)] : []));
	const userMessage = {
		text: textOf(newest.content),
		mode: AgentMode.AGENT,
		...(selectedImages.length > 0 && { selectedContext: { selectedImages } }),
	};
	return { action: { case: "userMessageAction", value: { userMessage, requestContext: context } } };
}

/** Tools that the model gets to see: none, one, or all. */
function offeredTools({ tools, toolChoice }: TurnRequest): TurnRequest["tools"] {
	if (toolChoice.kind === "none") return [];
	if (toolChoice.kind === "tool") return tools.filter(({ name }) => name === toolChoice.name);
	return tools;
}

/** Cursor has no field for a forced call; saying so is all that can be done. */
function choiceRule(choice: ToolChoice): string[] {
	if (choice.kind === "required")
		return ["Answer this by calling at least one of your tools. Do not answer in text alone."];
	if (choice.kind === "tool") return [`Answer this by calling the tool ${choice.name}. Do not answer in text alone.`];
	return [];
}
