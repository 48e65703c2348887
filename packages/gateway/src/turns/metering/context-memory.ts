import { promptLength, promptLengths } from "../../tokens/prompt-length.ts";
import { replyName } from "../../tokens/said-text.ts";
import type { EarlierReply } from "../../tokens/settle-usage.ts";
import type { AssistantMessage, TurnRequest } from "../../turn/request.ts";

/** What is remembered of a reply for the token figures of the next one. */
export interface LeftContext extends EarlierReply {
	/** Tokens of the prompt and the reply, as both will appear in the next prompt. */
	contextTokens: number;
	/** The same, in characters. */
	characters: number;
}

/** What was remembered, found again for a request that continues the conversation. */
export interface FoundContext extends LeftContext {
	/** Index of the first message that is newer than the remembered reply. */
	addedFrom: number;
}

const MOST_KEPT = 4_096;
/** Clients trim and rewrite histories a little. A length that differs by more than this share is another history. */
const SAME_LENGTH = 0.1;

/**
 * Token figures of recent replies, found by the reply that the next request repeats in its history. They are used for
 * counting only and never decide which run continues.
 */
export class ContextMemory {
	readonly #kept = new Map<string, LeftContext>();

	add(caller: string, reply: string | undefined, context: LeftContext): void {
		if (reply === undefined) return;
		const key = keyOf(caller, reply);
		this.#kept.delete(key);
		this.#kept.set(key, context);
		if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
	}

	/** Undefined when the conversation is not known here, or when its history was changed. */
	find(caller: string, request: TurnRequest): FoundContext | undefined {
		const { system, tools, messages } = request;
		const addedFrom = messages.findLastIndex(({ role }) => role === "assistant") + 1;
		const reply = addedFrom === 0 ? undefined : nameOf(messages[addedFrom - 1] as AssistantMessage);
		const left = reply === undefined ? undefined : this.#kept.get(keyOf(caller, reply));
		if (!left) return undefined;
		const characters = promptLength(promptLengths({ system, tools, messages: messages.slice(0, addedFrom) }));
		const isSame = Math.abs(characters - left.characters) <= left.characters * SAME_LENGTH;
		return isSame ? { ...left, addedFrom } : undefined;
	}
}

function nameOf({ content }: AssistantMessage): string | undefined {
	const calls = content.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
	return replyName(calls, content.map((part) => (part.type === "text" ? part.text : "")).join(""));
}

const keyOf = (caller: string, reply: string) => `${caller}\n${reply}`;
