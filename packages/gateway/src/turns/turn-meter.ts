import type { TurnListener } from "../turn/listener.ts";
import type { TurnRequest } from "../turn/request.ts";
import { ContextMemory } from "./context-memory.ts";
import { MeteredResponse } from "./metered-reply.ts";
import { PromptCount } from "./prompt-count.ts";

/** Counts the tokens of turns, from one response of a conversation to the next. */
export class TurnMeter {
	readonly #memory = new ContextMemory();

	/** The prompt of a request, which is one however many answers are wanted. */
	prompt(request: TurnRequest, caller: string): PromptCount {
		return new PromptCount(request, this.#memory.find(caller, request));
	}

	response(prompt: PromptCount, caller: string, tellsPromptFirst: boolean, target: TurnListener): MeteredResponse {
		return new MeteredResponse({
			prompt,
			tellsPromptFirst,
			target,
			remember: (answer, context) => this.#memory.add(caller, answer, context),
		});
	}
}
