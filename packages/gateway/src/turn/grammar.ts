import type { TurnEvent } from "./event.ts";

/**
 * Checks that the events of a turn come in a legal order. Everything that produces or reads events relies on these
 * rules, so a mistake in a protocol is found here and not by a client:
 *
 * - `turn-start` first, `turn-end` last, each once.
 * - Text and thinking come in blocks: start, deltas, end. At most one is open, and none while a call's input is.
 * - A call: `tool-input-start`, deltas, `tool-input-end`, `tool-call`, by id; several calls may be open at once.
 *   Each id is used once, and the arguments of a call are its deltas joined.
 * - `web-search` where no block and no input of a call is open. Each has an id of its own.
 * - `usage`, `told-usage` and `activity` anywhere between the first and the last event.
 * - A turn that ends with reason `tool-calls` has at least one call. No block or input is open at the end.
 */
export class Grammar {
	#started = false;
	#ended = false;
	#block: "text" | "thinking" | undefined;
	readonly #inputs = new Map<string, { name: string; text: string; closed: boolean }>();
	readonly #calls = new Set<string>();
	readonly #searches = new Set<string>();

	/** Throws if the event may not come at this point. */
	accept(event: TurnEvent): void {
		if (this.#ended) throw illegal(event, "the turn has ended");
		if (event.type === "turn-start") {
			if (this.#started) throw illegal(event, "the turn has started already");
			this.#started = true;
			return;
		}
		if (!this.#started) throw illegal(event, "the turn has not started");
		this.#inside(event);
	}

	get ended(): boolean {
		return this.#ended;
	}

	#inside(event: TurnEvent): void {
		switch (event.type) {
			case "text-start":
			case "thinking-start":
				return this.#open(event, event.type === "text-start" ? "text" : "thinking");
			case "text-delta":
			case "text-end":
				return this.#within(event, "text");
			case "thinking-delta":
			case "thinking-end":
				return this.#within(event, "thinking");
			case "tool-input-start":
			case "tool-input-delta":
			case "tool-input-end":
			case "tool-call":
				return this.#tool(event);
			case "web-search":
				return this.#search(event);
			case "turn-end":
				return this.#end(event);
			default:
				return;
		}
	}

	#open(event: TurnEvent, block: "text" | "thinking"): void {
		if (this.#block) throw illegal(event, `a ${this.#block} block is open`);
		if (this.#openInputs() > 0) throw illegal(event, "the input of a call is open");
		this.#block = block;
	}

	#within(event: TurnEvent, block: "text" | "thinking"): void {
		if (this.#block !== block) throw illegal(event, `no ${block} block is open`);
		if (event.type.endsWith("-end")) this.#block = undefined;
	}

	#tool(event: Extract<TurnEvent, { id: string }>): void {
		if (this.#block) throw illegal(event, `a ${this.#block} block is open`);
		const input = this.#inputs.get(event.id);
		if (event.type === "tool-input-start") {
			if (input || this.#calls.has(event.id)) throw illegal(event, "the id was used before");
			this.#inputs.set(event.id, { name: event.name, text: "", closed: false });
			return;
		}
		if (!input) throw illegal(event, "its input has not started");
		if (event.type === "tool-call") {
			if (!input.closed) throw illegal(event, "its input is still open");
			if (input.name !== event.name || input.text !== event.arguments)
				throw illegal(event, "it differs from its input");
			this.#inputs.delete(event.id);
			this.#calls.add(event.id);
			return;
		}
		if (input.closed) throw illegal(event, "its input has ended");
		if (event.type === "tool-input-delta") input.text += event.text;
		else input.closed = true;
	}

	#search(event: Extract<TurnEvent, { type: "web-search" }>): void {
		if (this.#block) throw illegal(event, `a ${this.#block} block is open`);
		if (this.#openInputs() > 0) throw illegal(event, "the input of a call is open");
		if (this.#searches.has(event.search.id)) throw illegal(event, "the id was used before");
		this.#searches.add(event.search.id);
	}

	#end(event: Extract<TurnEvent, { type: "turn-end" }>): void {
		if (this.#block) throw illegal(event, `a ${this.#block} block is open`);
		if (this.#inputs.size > 0) throw illegal(event, "a call is not complete");
		if (event.reason === "tool-calls" && this.#calls.size === 0) throw illegal(event, "there was no call");
		this.#ended = true;
	}

	#openInputs(): number {
		return [...this.#inputs.values()].filter(({ closed }) => !closed).length;
	}
}

function illegal(event: TurnEvent, reason: string): Error {
	return new Error(`illegal ${event.type}: ${reason}`);
}
