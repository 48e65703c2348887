// The model in the tests: it plays the script of the prompt it was given, and keeps account of every run.
import type { Action, Turn } from "cursorwire-emulator";

// biome-ignore lint/suspicious/noExplicitAny: what a yield resumes with depends on the action before it
export type Script = (turn: Turn) => AsyncGenerator<Action, void, any>;

export class ScriptedModel {
	/** Runs of the agent itself, each with its tools. */
	readonly main: Turn[] = [];
	/** Runs beside it without any tool: titles and names of conversations. */
	readonly aside: Turn[] = [];
	readonly #scriptFor: (prompt: string) => Script | undefined;

	constructor(scriptFor: (prompt: string) => Script | undefined) {
		this.#scriptFor = scriptFor;
	}

	async *play(turn: Turn): AsyncGenerator<Action, void, unknown> {
		if (turn.tools.length === 0) {
			this.aside.push(turn);
			yield { text: "A title" };
			return;
		}
		this.main.push(turn);
		const script = this.#scriptFor(newestText(turn));
		if (script) yield* script(turn);
		else yield { text: "There is no script for this prompt." };
	}
}

/** Agents put reminders and surroundings around the prompt, in messages of their own. */
function newestText({ messages }: Turn): string {
	const lastAnswer = messages.findLastIndex(({ role }) => role !== "user");
	return messages
		.slice(lastAnswer + 1)
		.flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])))
		.join("\n");
}
