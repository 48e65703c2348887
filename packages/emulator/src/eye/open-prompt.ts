import type { Action, CallResult } from "../brains/brain.ts";
import { estimateTokens } from "../usage/estimate-tokens.ts";
import type { PromptFacts, ShownEntry, ShownPart, ShownPrompt, ShownResult } from "./prompt.ts";
import { entryOf, resultOf, showAnswer, showCall, showEntry, showText, sum } from "./show-entry.ts";
import { findTwice } from "./twice.ts";

export type Play = (action: Action) => Promise<unknown>;

/** One prompt while its run goes on. Results of tools come to it as the model gets them. */
export class OpenPrompt {
	readonly #base: Omit<ShownPrompt, "since" | "tokens" | "twice">;
	readonly #baseTokens: Omit<ShownPrompt["tokens"], "since" | "total">;
	readonly #since: Pick<ShownEntry, "role" | "parts">[] = [];
	readonly #onResults: (results: ShownEntry[]) => void;

	constructor(number: number, at: number, facts: PromptFacts, onResults: (results: ShownEntry[]) => void) {
		const system = facts.system.map((entry) => ({ ...entry, tokens: estimateTokens(entry.text) }));
		const tools = facts.tools.map(({ place, ...tool }) => {
			return { place, ...tool, tokens: estimateTokens(JSON.stringify(tool)) };
		});
		const history = facts.history.map(showEntry);
		const newest = facts.newest ? showEntry(facts.newest) : null;
		this.#base = { number, at, ...facts, system, tools, history, newest };
		this.#baseTokens = {
			system: sum(system),
			tools: sum(tools),
			context: Object.keys(facts.context).length > 0 ? estimateTokens(JSON.stringify(facts.context)) : 0,
			history: sum(history),
			newest: newest?.tokens ?? 0,
		};
		this.#onResults = onResults;
	}

	/** The same way to play actions, seen by the eye. */
	watch(play: Play): Play {
		return async (action) => {
			this.#act(action);
			const outcome = await play(action);
			this.#answered(action, outcome);
			return outcome;
		};
	}

	/** About how long it is; counted as the answer grows, so words that were said in pieces count as pieces. */
	get roughTokens(): number {
		return this.#tokens(this.#since).total;
	}

	show(): ShownPrompt {
		const since = this.#since.map(({ role, parts }) => entryOf(role, parts.map(settled)));
		const shown = { ...this.#base, since, tokens: this.#tokens(since) };
		return { ...shown, twice: findTwice(shown) };
	}

	#tokens(since: readonly Pick<ShownEntry, "parts">[]): ShownPrompt["tokens"] {
		const counts = { ...this.#baseTokens, since: sum(since.flatMap(({ parts }) => parts)) };
		return { ...counts, total: Object.values(counts).reduce((total, count) => total + count) };
	}

	#act({ thinking, text, calls, exec }: Action): void {
		if (thinking !== undefined) this.#say("reasoning", thinking);
		else if (text !== undefined) this.#say("text", text);
		else if (calls) this.#assistant().push(...calls.map((call) => showCall(call.name, call.arguments ?? {})));
		else if (exec) this.#assistant().push(...[exec].flat().map(({ kind, args = {} }) => showCall(kind, args)));
	}

	#answered({ calls, exec }: Action, outcome: unknown): void {
		if (calls) this.#results((outcome as CallResult[]).map((result, index) => showAnswer(calls[index]!.name, result)));
		if (!exec) return;
		const answers = Array.isArray(exec) ? (outcome as unknown[]) : [outcome];
		this.#results([exec].flat().map(({ kind }, index) => resultOf(kind, [showText(rawText(answers[index]))], false)));
	}

	#results(results: ShownResult[]): void {
		const entries = results.map((result) => entryOf("tool", [result]));
		this.#since.push(...entries);
		this.#onResults(entries);
	}

	#say(type: "text" | "reasoning", piece: string): void {
		const parts = this.#assistant();
		const last = parts.at(-1);
		if (last?.type !== type) {
			parts.push(showText(piece, type));
			return;
		}
		// An answer has many thousands of pieces; what stands here is counted as a whole only where it is shown.
		last.text += piece;
		last.tokens += estimateTokens(piece);
	}

	#assistant(): ShownEntry["parts"] {
		const last = this.#since.at(-1);
		if (last?.role === "assistant") return last.parts;
		const parts: ShownEntry["parts"] = [];
		this.#since.push({ role: "assistant", parts });
		return parts;
	}
}

/** A part as it stands now; it may grow on. */
function settled(part: ShownPart): ShownPart {
	return part.type === "text" || part.type === "reasoning" ? showText(part.text, part.type) : part;
}

/** The answer to a built-in request as JSON, without what no message of the wire has. */
function rawText(answer: unknown): string {
	const text = JSON.stringify(answer, (key, value) => {
		if (key.startsWith("$") || key === "events") return undefined;
		return typeof value === "bigint" ? String(value) : value;
	});
	return text ?? "";
}
