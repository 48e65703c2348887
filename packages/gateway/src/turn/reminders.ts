import type { TextPart, ToolResultPart, TurnMessage, UserMessage } from "./request.ts";

const OPENING = "<system-reminder>";
const CLOSING = "</system-reminder>";

/** Whether a client has already marked this text as a reminder. */
export function isMarkedReminder(text: string): boolean {
	const trimmed = text.trim();
	return trimmed.startsWith(OPENING) && trimmed.endsWith(CLOSING);
}

/**
 * A reminder is a system or developer message that a client adds after the user's first message. It is marked as one,
 * so that the model does not take it for the user's own words.
 */
export function reminderMessage(parts: readonly TextPart[]): UserMessage {
	const content = parts
		.filter(({ text }) => text !== "")
		.map(({ text }): TextPart => ({ type: "text", text: marked(text) }));
	return { role: "user", content, isReminder: true };
}

function marked(text: string): string {
	return isMarkedReminder(text) ? text : `${OPENING}\n${text}\n${CLOSING}`;
}

/**
 * Makes each reminder a part of the message it belongs to: the one before it if that is a message of the user or a
 * result, otherwise the user's next message. So the user's question stays the newest message, and the messages before
 * it are the same in the next request. A reminder without such a neighbour remains a message.
 */
export function placeReminders(messages: readonly TurnMessage[]): TurnMessage[] {
	const placed: TurnMessage[] = [];
	let reminders: UserMessage["content"] = [];
	for (const message of messages) {
		if (message.role === "user" && message.isReminder) {
			for (const part of message.content) reminders.push(part);
			continue;
		}
		const isPlaced = appendToLast(placed, reminders);
		if (isPlaced) placed.push(message);
		else if (message.role === "user") placed.push({ role: "user", content: reminders.concat(message.content) });
		else placed.push({ role: "user", content: reminders }, message);
		reminders = [];
	}
	if (!appendToLast(placed, reminders)) placed.push({ role: "user", content: reminders });
	return placed;
}

/** Returns false if there is no message before the reminders, or it is an assistant's. */
function appendToLast(placed: TurnMessage[], reminders: UserMessage["content"]): boolean {
	if (reminders.length === 0) return true;
	const last = placed.at(-1);
	if (last?.role === "user") placed[placed.length - 1] = { ...last, content: last.content.concat(reminders) };
	else if (last?.role === "tool")
		placed[placed.length - 1] = { ...last, content: withLastResult(last.content, reminders) };
	else return false;
	return true;
}

function withLastResult(results: readonly ToolResultPart[], reminders: UserMessage["content"]): ToolResultPart[] {
	return results.map((result, index) =>
		index === results.length - 1 ? { ...result, content: result.content.concat(reminders) } : result,
	);
}
