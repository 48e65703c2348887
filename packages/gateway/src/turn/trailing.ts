import { isMissingResult } from "./normalize.ts";
import type { ImagePart, TextPart, ToolResultPart, TurnMessage } from "./request.ts";

/** What a request adds behind the assistant's last message: results of its calls, and what the user said with them. */
export interface Trailing {
	results: ToolResultPart[];
	userParts: (TextPart | ImagePart)[];
}

export function trailingOf(messages: readonly TurnMessage[]): Trailing {
	const trailing: Trailing = { results: [], userParts: [] };
	const lastAssistant = messages.findLastIndex(({ role }) => role === "assistant");
	for (const message of messages.slice(lastAssistant + 1)) {
		// A result that the client did not send, and that was put in for it, answers nothing.
		if (message.role === "tool") trailing.results = trailing.results.concat(message.content.filter(isGiven));
		else if (message.role === "user") for (const part of message.content) trailing.userParts.push(part);
	}
	return trailing;
}

const isGiven = (result: ToolResultPart) => !isMissingResult(result);

/**
 * The results for a run that waits. It takes nothing but results, so what the user said with them travels in the last
 * one: clients put reminders there, and the model must see them.
 */
export function resultsWithUserText({ results, userParts }: Trailing): ToolResultPart[] {
	const last = results.at(-1);
	if (!last || userParts.length === 0) return results;
	return [...results.slice(0, -1), { ...last, content: [...last.content, ...userParts] }];
}
