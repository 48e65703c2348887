import type { Message } from "../brains/brain.ts";
import { OpenPrompt, type Play } from "./open-prompt.ts";
import { printPrompt, printResults } from "./print.ts";
import type { PromptFacts, ShownPrompt } from "./prompt.ts";

export interface PromptLogOptions {
	/** How many prompts are kept. With 0, prompts are only looked at if they are printed. */
	prompts: number;
	/** How many characters all of them may have, approximately. The newest is kept whatever its size. */
	characters: number;
	now(): number;
	/** Called with the text of each prompt, and of the results that are added to it. */
	print: ((text: string) => void) | undefined;
}

/** Keeps the newest prompts as the model would read them. */
export class PromptLog {
	readonly #options: PromptLogOptions;
	readonly #prompts: OpenPrompt[] = [];
	#count = 0;

	constructor(options: PromptLogOptions) {
		this.#options = options;
	}

	/**
	 * Adds a prompt that the model is about to read. The run plays its actions through the function that this returns.
	 * `arrivals` returns, once, the messages that the client has sent to the running turn.
	 */
	watch(facts: PromptFacts, play: Play, arrivals: () => Message[] = () => []): Play {
		const { prompts, print, now } = this.#options;
		const number = ++this.#count;
		if (prompts === 0 && !print) return play;
		const prompt = new OpenPrompt(number, now(), facts, (results) => print?.(printResults(number, results)));
		this.#prompts.push(prompt);
		this.#forgetOldest();
		print?.(printPrompt(prompt.show()));
		return prompt.watch(play, arrivals);
	}

	/** Oldest first. */
	list(): ShownPrompt[] {
		this.#forgetOldest();
		return this.#prompts.map((prompt) => prompt.show());
	}

	clear(): void {
		this.#prompts.length = 0;
	}

	#forgetOldest(): void {
		const { prompts, characters } = this.#options;
		if (this.#prompts.length > prompts) this.#prompts.splice(0, this.#prompts.length - prompts);
		const sizes = this.#prompts.map((prompt) => prompt.length);
		let size = sizes.reduce((total, each) => total + each, 0);
		while (size > characters && this.#prompts.length > 1) {
			this.#prompts.shift();
			size -= sizes.shift()!;
		}
	}
}
