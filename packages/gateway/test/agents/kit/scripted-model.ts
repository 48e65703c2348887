// The model in the tests: it plays the script of the prompt it was given, and keeps account of every run.
import type { Action, Turn } from "cursorwire-emulator";

// biome-ignore lint/suspicious/noExplicitAny: what a yield resumes with depends on the action before it
export type Script = (turn: Turn) => AsyncGenerator<Action, void, any>;

export class ScriptedModel {
	/** Runs of the agent itself, in which the user's prompt is the newest message. */
	readonly main: Turn[] = [];
	/** Runs beside it: titles of conversations, which come without tools, and agents that look back on one. */
	readonly aside: Turn[] = [];
	readonly #aside: Script | undefined;
	/** What it says in runs beside the agent's own. */
	summary = "Nothing to add";
	readonly #scriptFor: (prompt: string) => Script | undefined;

	constructor(scriptFor: (prompt: string) => Script | undefined, aside?: Script) {
		this.#scriptFor = scriptFor;
		this.#aside = aside;
	}

	async *play(turn: Turn): AsyncGenerator<Action, void, unknown> {
		const script = turn.tools.length > 0 ? this.#scriptFor(newestText(turn)) : undefined;
		if (script === undefined) {
			this.aside.push(turn);
			if (this.#aside) yield* this.#aside(turn);
			else yield { text: this.summary };
			return;
		}
		this.main.push(turn);
		yield* script(turn);
	}
}

/** Agents put reminders and surroundings around the prompt, in messages of their own before or behind it. */
function newestText({ messages }: Turn): string {
	const last = messages.findLastIndex(({ role }) => role === "user");
	const before = messages.findLastIndex(({ role }, index) => index < last && role !== "user");
	return messages
		.slice(before + 1, last + 1)
		.flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])))
		.join("\n");
}
