import { promptLength } from "../tokens/prompt-length.ts";
import { answerName } from "../tokens/said-text.ts";
import type { EarlierResponse } from "../tokens/settle-usage.ts";
import type { AssistantMessage, TurnRequest } from "../turn/request.ts";

/** What a response left behind, for the figures of the next one. */
export interface LeftContext extends EarlierResponse {
	/** Prompt and answer, as they will stand in the next prompt. */
	contextTokens: number;
	/** The same in characters. */
	characters: number;
}

/** A conversation that goes on. */
export interface FoundContext extends LeftContext {
	/** Where the messages begin that the response before did not know. */
	addedFrom: number;
}

const MOST_KEPT = 4_096;
/** A history may differ by so much, as clients trim and write anew; a larger difference is another history. */
const SAME_LENGTH = 0.1;

/** The figures of the last responses, found by the answer that the next request brings back. They prove nothing. */
export class ContextMemory {
	readonly #kept = new Map<string, LeftContext>();

	add(caller: string, answer: string | undefined, context: LeftContext): void {
		if (answer === undefined) return;
		const key = keyOf(caller, answer);
		this.#kept.delete(key);
		this.#kept.set(key, context);
		if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
	}

	/** Undefined for a conversation that is new here, or whose history was changed. */
	find(caller: string, request: TurnRequest): FoundContext | undefined {
		const { system, tools, messages } = request;
		const addedFrom = messages.findLastIndex(({ role }) => role === "assistant") + 1;
		const answer = addedFrom === 0 ? undefined : nameOf(messages[addedFrom - 1] as AssistantMessage);
		const left = answer === undefined ? undefined : this.#kept.get(keyOf(caller, answer));
		if (!left) return undefined;
		const characters = promptLength({ system, tools, messages: messages.slice(0, addedFrom) });
		const isSame = Math.abs(characters - left.characters) <= left.characters * SAME_LENGTH;
		return isSame ? { ...left, addedFrom } : undefined;
	}
}

function nameOf({ content }: AssistantMessage): string | undefined {
	const calls = content.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
	return answerName(calls, content.map((part) => (part.type === "text" ? part.text : "")).join(""));
}

const keyOf = (caller: string, answer: string) => `${caller}\n${answer}`;
