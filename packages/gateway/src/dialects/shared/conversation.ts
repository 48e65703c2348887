import type { Sliced } from "../../time/slices.ts";
import { repairedHistory } from "../../turn/normalize.ts";
import { reminderMessage } from "../../turn/reminders.ts";
import type { TextPart, TurnMessage } from "../../turn/request.ts";
import { invalid } from "./invalid.ts";
import type { Warnings } from "./warnings.ts";
import { toText } from "./well-formed.ts";

/** A conversation as the client tells it, not yet repaired. */
export interface DecodedMessages {
	system: string[];
	messages: TurnMessage[];
}

/** Puts a conversation together from its messages. */
export class Conversation {
	readonly #system: string[] = [];
	#messages: TurnMessage[] = [];
	#hasUserSpoken = false;

	/** A system message is part of the system prompt before the user's first message, and a reminder after it. */
	addSystem(parts: TextPart[]): void {
		if (this.#hasUserSpoken) this.#messages.push(reminderMessage(parts));
		else this.#system.push(...parts.map(({ text }) => text).filter((text) => text !== ""));
	}

	add(message: TurnMessage): void {
		if (message.role !== "assistant") this.userSpeaks();
		// A list that begins with its first entry takes no more memory than that: V8 makes room for seventeen otherwise.
		if (this.#messages.length === 0) this.#messages = [message];
		else this.#messages.push(message);
	}

	/** For a message of the user that has nothing in it to add. */
	userSpeaks(): void {
		this.#hasUserSpoken = true;
	}

	/** All of it. If there are only system messages, the last one is the question. */
	finish(): DecodedMessages {
		const last = this.#messages.length === 0 ? this.#system.pop() : undefined;
		if (last !== undefined) this.#messages.push({ role: "user", content: [toText(last)] });
		return { system: this.#system, messages: this.#messages };
	}
}

/** Where a conversation stands in the request, and whether it may be empty. */
export interface HistoryRules {
	param: string;
	/** The API accepts a message without content. */
	mayBeEmpty: boolean;
}

/** The messages with everything repaired that Cursor would not accept. */
export function* repairMessages(
	messages: TurnMessage[],
	{ param, mayBeEmpty }: HistoryRules,
	warnings: Warnings,
): Sliced<readonly TurnMessage[]> {
	const repaired = yield* repairedHistory(messages);
	for (const line of repaired.warnings) warnings.add(line);
	if (repaired.messages.length > 0) return repaired.messages;
	const hasResults = messages.some(({ role }) => role === "tool");
	if (hasResults || !mayBeEmpty) throw invalid(param, "must hold a message that is not empty");
	return [{ role: "user", content: [] }];
}
