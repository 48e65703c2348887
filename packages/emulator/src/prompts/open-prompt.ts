import type { Action, CallResult, Message } from "../brains/brain.ts";
import { estimateTokens } from "../token-usage/estimate-tokens.ts";
import type { PromptFacts, ShownEntry, ShownPart, ShownPrompt, ShownResult } from "./prompt.ts";
import { findRepetitions } from "./repetitions.ts";
import { entryOf, resultOf, showCall, showCallResult, showEntry, showText, sum } from "./show-entry.ts";

export type Play = (action: Action) => Promise<unknown>;

/**
 * One prompt while its run continues. What the model says and the results that it gets are added. Tokens are counted
 * only when the prompt is shown: prompts may have megabytes, replies thousands of pieces, and most are never shown.
 */
export class OpenPrompt {
	readonly #number: number;
	readonly #at: number;
	readonly #facts: PromptFacts;
	readonly #since: Pick<ShownEntry, "role" | "parts">[] = [];
	readonly #onResults: (results: ShownEntry[]) => void;
	/** Approximate number of characters. */
	length: number;

	constructor(number: number, at: number, facts: PromptFacts, onResults: (results: ShownEntry[]) => void) {
		this.#number = number;
		this.#at = at;
		this.#facts = { ...facts, history: [...facts.history] };
		this.#onResults = onResults;
		this.length = lengthOf(facts);
	}

	/** Wraps `play` so that actions and their outcomes are added to the prompt. */
	watch(play: Play, arrivals: () => Message[]): Play {
		return async (action) => {
			this.#addAction(action);
			const outcome = await play(action);
			this.#addOutcome(action, outcome);
			this.#since.push(...arrivals().map(showEntry));
			return outcome;
		};
	}

	show(): ShownPrompt {
		const facts = this.#facts;
		const system = facts.system.map((entry) => ({ ...entry, tokens: estimateTokens(entry.text) }));
		const tools = facts.tools.map(({ place, ...tool }) => {
			return { place, ...tool, tokens: estimateTokens(JSON.stringify(tool)) };
		});
		const history = facts.history.map(showEntry);
		const newest = facts.newest ? showEntry(facts.newest) : null;
		const since = this.#since.map(({ role, parts }) => entryOf(role, parts.map(settled)));
		const counts = {
			system: sum(system),
			tools: sum(tools),
			context: Object.keys(facts.context).length > 0 ? estimateTokens(JSON.stringify(facts.context)) : 0,
			history: sum(history),
			newest: newest?.tokens ?? 0,
			since: sum(since),
		};
		const tokens = { ...counts, total: Object.values(counts).reduce((total, count) => total + count) };
		const base = { number: this.#number, at: this.#at, ...facts, system, tools, history, newest };
		const shown = { ...base, since, tokens };
		return { ...shown, twice: findRepetitions(shown) };
	}

	#addAction({ thinking, text, calls, exec }: Action): void {
		if (thinking !== undefined) this.#say("reasoning", thinking);
		else if (text !== undefined) this.#say("text", text);
		else if (calls) this.#assistant().push(...calls.map((call) => showCall(call.name, call.arguments ?? {})));
		else if (exec) this.#assistant().push(...[exec].flat().map(({ kind, args = {} }) => showCall(kind, args)));
	}

	#addOutcome({ calls, exec }: Action, outcome: unknown): void {
		if (calls)
			this.#addResults((outcome as CallResult[]).map((result, index) => showCallResult(calls[index]!.name, result)));
		if (!exec) return;
		const answers = Array.isArray(exec) ? (outcome as unknown[]) : [outcome];
		this.#addResults(
			[exec].flat().map(({ kind }, index) => resultOf(kind, [showText(rawText(answers[index]))], false)),
		);
	}

	#addResults(results: ShownResult[]): void {
		const entries = results.map((result) => entryOf("tool", [result]));
		this.#since.push(...entries);
		this.#onResults(entries);
	}

	#say(type: "text" | "reasoning", piece: string): void {
		const parts = this.#assistant();
		const last = parts.at(-1);
		if (last?.type === type) last.text += piece;
		else parts.push({ type, text: piece, tokens: 0 });
		this.length += piece.length;
	}

	#assistant(): ShownEntry["parts"] {
		const last = this.#since.at(-1);
		if (last?.role === "assistant") return last.parts;
		const parts: ShownEntry["parts"] = [];
		this.#since.push({ role: "assistant", parts });
		return parts;
	}
}

function lengthOf({ system, tools, history, newest }: PromptFacts): number {
	const parts = [...history, ...(newest ? [newest] : [])].flatMap(({ content }) => content);
	return [
		...system.map(({ text }) => text.length),
		...tools.map(({ description }) => description.length),
		...parts.map(partLength),
	].reduce((total, length) => total + length, 0);
}

function partLength(part: Message["content"][number]): number {
	if (part.type === "image") return part.data.length;
	if (part.type === "tool-result") return typeof part.result === "string" ? part.result.length : 0;
	return part.type === "tool-call" ? 0 : part.text.length;
}

/** A copy of a part with its tokens counted; the part itself may still grow. */
function settled(part: ShownPart): ShownPart {
	return part.type === "text" || part.type === "reasoning" ? showText(part.text, part.type) : part;
}

/** The answer to a built-in request as JSON, without fields that are not on the wire. */
function rawText(answer: unknown): string {
	const text = JSON.stringify(answer, (key, value) => {
		if (key.startsWith("$") || key === "events") return undefined;
		return typeof value === "bigint" ? String(value) : value;
	});
	return text ?? "";
}
