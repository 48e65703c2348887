import type { TurnRequest } from "../../turn/request.ts";
import { ContextMemory } from "./context-memory.ts";
import { MeteredReply, type MeteredReplyOptions } from "./metered-reply.ts";
import { PromptCount } from "./prompt-count.ts";
import type { RunNotes } from "./run-notes.ts";

/** Counts the tokens of turns, each reply building on the figures of the one before. */
export class TurnMeter {
	readonly #memory = new ContextMemory();
	/** What other gateways have left, if there are any. */
	notes: RunNotes | undefined;

	/** The prompt of a request. All choices of the request share it. */
	prompt(request: TurnRequest, caller: string): PromptCount {
		return new PromptCount(request, this.#memory.find(caller, request));
	}

	/** A listener that adds the figures to one reply on its way to `target`. */
	reply(caller: string, options: Omit<MeteredReplyOptions, "caller" | "memory" | "notes">): MeteredReply {
		const { target, prompt, watch, tellsPromptFirst, spend } = options;
		const { notes } = this;
		return new MeteredReply({ target, prompt, watch, tellsPromptFirst, caller, spend, memory: this.#memory, notes });
	}
}
