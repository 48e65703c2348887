import { create, type JsonValue, toJson } from "@bufbuild/protobuf";
import {
	type BackgroundTaskCompletion,
	BackgroundTaskKind,
	BackgroundTaskStatus,
	type ConversationAction,
	ConversationActionSchema,
	type RequestContext,
	type UserMessage,
	UserMessageSchema,
} from "@cursorwire/protocol/agent";
import type { Message, TurnAction } from "../../brains/brain.ts";
import type { Blobs } from "../stream/blobs.ts";
import { historyMessages } from "./conversation-history.ts";
import { readUserMessage, userMessageWith } from "./user-message.ts";

/** What an action brings into the conversation. */
export interface Opening {
	/** The action as a brain sees it. */
	action: TurnAction;
	/** Messages before the newest. */
	earlier: Message[];
	/** The message to reply to; undefined if the model is to continue. */
	newest: Message | undefined;
	/** The message as the client's transcript shows it. */
	userMessage: UserMessage | undefined;
	/** The request context that came with it. */
	context: RequestContext | undefined;
	/** False if the action only adds to the conversation and the model is not asked. */
	asksModel: boolean;
}

type Case = ConversationAction["action"];

/** `user_message`, `background_task_completion`, …, with the fields of the action as JSON. */
function turnAction(action: ConversationAction): TurnAction {
	const json = toJson(ConversationActionSchema, action) as Record<string, JsonValue>;
	const field = ConversationActionSchema.fields.find(({ localName }) => localName === action.action.case);
	return { kind: field?.name.replace(/_action$/, "") ?? "", data: field ? json[field.jsonName] : undefined };
}

/** Reads an action that the model is to reply to. */
export async function readOpening(
	action: ConversationAction,
	blobs: Blobs,
	readsHistory: boolean,
	plan: string,
): Promise<Opening> {
	const read = async (message: UserMessage) => readUserMessage(message, blobs);
	const shown = userMessageOf(action.action);
	const [newest, earlier, asksModel] = await messagesOf(action.action, read, readsHistory, plan);
	return {
		action: turnAction(action),
		earlier,
		newest,
		userMessage: shown ?? (newest && create(UserMessageSchema, { text: textOf(newest) })),
		context: contextOf(action.action),
		asksModel,
	};
}

function textOf({ content }: Message): string {
	return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

async function messagesOf(
	{ case: kind, value }: Case,
	read: (message: UserMessage) => Promise<Message>,
	readsHistory: boolean,
	plan: string,
): Promise<[newest: Message | undefined, earlier: Message[], asksModel: boolean]> {
	switch (kind) {
		case "userMessageAction": {
			const history = readsHistory ? historyMessages(value.conversationHistory) : [];
			const prepended = await Promise.all(value.prependUserMessages.map(read));
			return [value.userMessage && (await read(value.userMessage)), [...history, ...prepended], true];
		}
		case "startPlanAction":
			return [value.userMessage && (await read(value.userMessage)), [], true];
		case "subscriptionNotificationAction": {
			const messages = await Promise.all(value.notifications.map(read));
			return [messages.at(-1), messages.slice(0, -1), true];
		}
		case "backgroundTaskCompletionAction": {
			const texts = [...value.completions.map(completionText), ...(value.systemReminder ? [value.systemReminder] : [])];
			const asksModel = value.completions.some(({ recordOnly }) => !recordOnly);
			return [userMessageWith(texts.join("\n\n")), [], asksModel];
		}
		case "executePlanAction": {
			const text = value.plan?.plan || value.planFileContent || plan;
			return [userMessageWith(`Execute this plan:\n\n${text}`), [], true];
		}
		case "asyncAskQuestionCompletionAction": {
			const answer = JSON.stringify(value.result?.result.value ?? {}, (key, part) =>
				key.startsWith("$") ? undefined : part,
			);
			return [
				userMessageWith(`The answer to the question of call ${value.originalToolCallId}:\n\n${answer}`),
				[],
				true,
			];
		}
		default:
			return [undefined, [], true];
	}
}

const TASKS: Record<number, string> = {
	[BackgroundTaskKind.SHELL]: "shell",
	[BackgroundTaskKind.SUBAGENT]: "subagent",
};
const ENDS: Record<number, string> = {
	[BackgroundTaskStatus.SUCCESS]: "success",
	[BackgroundTaskStatus.ERROR]: "error",
	[BackgroundTaskStatus.ABORTED]: "aborted",
};

/** The end of a background task, as the model reads it. */
export function completionText({ taskId, kind, status, title, detail, outputPath }: BackgroundTaskCompletion): string {
	const head = `Background ${TASKS[kind] ?? "task"} ${taskId}${title && ` (${title})`} ended: ${ENDS[status] ?? "unknown"}.`;
	return [head, detail, outputPath && `Its output is in ${outputPath}.`].filter(Boolean).join("\n");
}

export function userMessageOf({ case: kind, value }: Case): UserMessage | undefined {
	switch (kind) {
		case "userMessageAction":
		case "startPlanAction":
			return value.userMessage;
		case "subscriptionNotificationAction":
			return value.notifications.at(-1);
		default:
			return undefined;
	}
}

function contextOf({ case: kind, value }: Case): RequestContext | undefined {
	switch (kind) {
		case "userMessageAction":
		case "resumeAction":
		case "startPlanAction":
		case "executePlanAction":
		case "subscriptionNotificationAction":
			return value.requestContext;
		default:
			return undefined;
	}
}
