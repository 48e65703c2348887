import { clone, create, toBinary } from "@bufbuild/protobuf";
import {
	type ConversationStateStructure,
	ConversationStateStructureSchema,
	ConversationSummaryArchiveSchema,
	ConversationSummarySchema,
} from "@cursorwire/protocol/agent";
import type { Message } from "../../brains/brain.ts";
import { userMessageWith } from "../request/user-message.ts";
import type { Blobs } from "../stream/blobs.ts";
import type { AgentLink } from "../stream/link.ts";
import { type RootMessage, serializeRootMessage } from "./root-messages.ts";

/** How much of each message a summary keeps. */
const KEPT_CHARACTERS = 200;

/**
 * Replaces a conversation's messages by a summary, and tells the client while it happens. System entries stay, and so do
 * the turns, which a client shows.
 */
export async function summarise(
	before: ConversationStateStructure,
	roots: readonly RootMessage[],
	link: AgentLink,
	blobs: Blobs,
): Promise<ConversationStateStructure> {
	link.update({ case: "summaryStarted", value: {} });
	const summary = summaryOf(roots);
	link.update({ case: "summary", value: { summary } });
	const ids = before.rootPromptMessagesJson;
	const isSystem = (index: number) => roots[index]?.role === "system";
	const summarizedMessages = ids.filter((_, index) => !isSystem(index));
	const summaryMessage = await blobs.set(
		serializeRootMessage(userMessageWith(`Summary of the conversation:\n\n${summary}`)),
	);
	const archive = create(ConversationSummaryArchiveSchema, { summarizedMessages, summary, summaryMessage });

	const state = clone(ConversationStateStructureSchema, before);
	state.rootPromptMessagesJson = [...ids.filter((_, index) => isSystem(index)), summaryMessage];
	state.summary = await blobs.set(toBinary(ConversationSummarySchema, create(ConversationSummarySchema, { summary })));
	state.summaryArchives = [
		...before.summaryArchives,
		await blobs.set(toBinary(ConversationSummaryArchiveSchema, archive)),
	];
	state.selfSummaryCount = before.selfSummaryCount + 1;
	state.messageCountAtLastCompaction = summarizedMessages.length;
	link.update({ case: "summaryCompleted", value: {} });
	return state;
}

/** The beginning of each message, since there is no model to summarise them. */
function summaryOf(roots: readonly RootMessage[]): string {
	const messages = roots.filter((entry): entry is Message => entry.role !== "system");
	const lines = messages.map(
		({ role, content }) => `${role}: ${content.map(partText).join(" ").slice(0, KEPT_CHARACTERS)}`,
	);
	return lines.join("\n");
}

function partText(part: Message["content"][number]): string {
	switch (part.type) {
		case "text":
			return part.text;
		case "tool-call":
			return `calls ${part.toolName}`;
		case "tool-result":
			return typeof part.result === "string" ? part.result : JSON.stringify(part.result);
		default:
			return "";
	}
}
