import { isMissingResult } from "./normalize.ts";
import type { ImagePart, TextPart, ToolResultPart, TurnMessage } from "./request.ts";

/** What a request adds after the assistant's last message: results of its calls, and what the user said with them. */
export interface Trailing {
	results: ToolResultPart[];
	userParts: (TextPart | ImagePart)[];
}

export function trailingOf(messages: readonly TurnMessage[]): Trailing {
	const trailing: Trailing = { results: [], userParts: [] };
	const lastAssistant = messages.findLastIndex(({ role }) => role === "assistant");
	for (const message of messages.slice(lastAssistant + 1)) {
		// Leaves out results that the client did not send and that `repairHistory` put in.
		if (message.role === "tool") trailing.results = trailing.results.concat(message.content.filter(isGiven));
		else if (message.role === "user") for (const part of message.content) trailing.userParts.push(part);
	}
	return trailing;
}

/** Whether a request brings results of calls at all. */
export function bringsResults(messages: readonly TurnMessage[]): boolean {
	for (let at = messages.length - 1; at >= 0; at--) {
		const { role } = messages[at]!;
		if (role !== "user") return role === "tool";
	}
	return false;
}

const isGiven = (result: ToolResultPart) => !isMissingResult(result);

/**
 * The results for a parked run. It only accepts results, so what the user said with them is added to the last one:
 * clients put reminders there, and the model must see them.
 */
export function resultsWithUserText({ results, userParts }: Trailing): ToolResultPart[] {
	const last = results.at(-1);
	if (!last || userParts.length === 0) return results;
	return [...results.slice(0, -1), { ...last, content: [...last.content, ...userParts] }];
}
