import type { MessageInitShape } from "@bufbuild/protobuf";
import {
	ClientSideToolV2,
	type ConversationMessageHeaderSchema,
	type ConversationMessageSchema,
	ConversationMessage_MessageType as MessageType,
} from "@cursorwire/protocol/aiserver";
import {
	type AssistantMessage,
	type ImagePart,
	type ToolCallPart,
	type ToolResultPart,
	type TurnMessage,
	textOf,
	type UserMessage,
} from "../../../turn/request.ts";
import { CallIds } from "../../writing/call-ids.ts";
import { argumentsText } from "../../writing/tool-arguments.ts";
import type { ToolNames } from "../../writing/tool-names.ts";

type MessageInit = MessageInitShape<typeof ConversationMessageSchema>;
type ToolResultInit = NonNullable<MessageInit["toolResults"]>[number];

/** The client's messages as bubbles of a chat. Calls stay calls and stand, with their results, in the answer they are of. */
export function conversation(messages: readonly TurnMessage[], names: ToolNames, newId: () => string): MessageInit[] {
	const results = new Map(
		messages.flatMap((message) =>
			message.role === "tool" ? message.content.map((part) => [part.callId, part] as const) : [],
		),
	);
	const ids = new CallIds();
	return messages.flatMap((message): MessageInit[] => {
		if (message.role === "user") return [human(message, newId())];
		// A result stands with its call.
		if (message.role === "tool") return [];
		return [answer(message, newId(), (call, index) => toolResult(call, results.get(call.id), index, names, ids))];
	});
}

/** What a server that knows the conversation needs of it. */
export function headers(bubbles: readonly MessageInit[]): MessageInitShape<typeof ConversationMessageHeaderSchema>[] {
	return bubbles.map(({ bubbleId, type }) => ({ bubbleId, type }));
}

function human({ content }: UserMessage, bubbleId: string): MessageInit {
	return { type: MessageType.HUMAN, bubbleId, text: textOf(content), images: imagesOf(content) };
}

/** Thinking is not sent back: a provider refuses a signature that is not its own, and models do without. */
function answer(
	{ content }: AssistantMessage,
	bubbleId: string,
	resultOf: (call: ToolCallPart, index: number) => ToolResultInit,
): MessageInit {
	const calls = content.filter((part): part is ToolCallPart => part.type === "tool-call");
	const toolResults = calls.map(resultOf);
	return { type: MessageType.AI, bubbleId, text: textOf(content), isAgentic: calls.length > 0, toolResults };
}

function toolResult(
	call: ToolCallPart,
	result: ToolResultPart | undefined,
	toolIndex: number,
	names: ToolNames,
	ids: CallIds,
): ToolResultInit {
	const toolCallId = ids.clean(call.id);
	const toolName = names.wire(call.name);
	const text = textOf(result?.content ?? []);
	const args = argumentsText(call.arguments);
	const said = { clientVisibleErrorMessage: text, modelVisibleErrorMessage: text };
	return {
		toolCallId,
		toolName,
		toolIndex,
		args,
		rawArgs: args,
		content: text,
		images: imagesOf(result?.content ?? []),
		result: {
			tool: ClientSideToolV2.MCP,
			toolCallId,
			result: { case: "mcpResult", value: { selectedTool: toolName, result: text } },
		},
		...(result?.isError && { error: said }),
	};
}

function imagesOf(content: readonly { type: string }[]) {
	const images = content.filter((part): part is ImagePart => part.type === "image");
	return images.map(({ data }, index) => ({ data, uuid: String(index) }));
}
