import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnListener } from "../turn/run.ts";

/** Responses beyond this many characters are not kept: a retry of one is a new turn. */
const MOST_CHARACTERS = 4 << 20;

/**
 * One response, kept so that an identical retry gets the same one: from its beginning, and live where it still runs.
 */
export class Recording implements TurnListener {
	readonly #listeners = new Set<TurnListener>();
	#events: TurnEvent[] | undefined = [];
	#size = 0;
	#error: GatewayError | undefined;
	#over = false;

	/** A retry can still be served from here. */
	get usable(): boolean {
		return this.#events !== undefined && this.#error === undefined;
	}

	get over(): boolean {
		return this.#over;
	}

	attach(listener: TurnListener): void {
		if (this.#events && this.#events.length > 0) listener.events([...this.#events]);
		if (this.#error) listener.failed(this.#error);
		else if (!this.#over) this.#listeners.add(listener);
	}

	/** Returns how many still listen. */
	detach(listener: TurnListener): number {
		this.#listeners.delete(listener);
		return this.#listeners.size;
	}

	events(batch: readonly TurnEvent[]): void {
		this.#keep(batch);
		if (batch.at(-1)?.type === "turn-end") this.#over = true;
		for (const listener of this.#listeners) listener.events(batch);
		if (this.#over) this.#listeners.clear();
	}

	failed(error: GatewayError): void {
		this.#over = true;
		this.#error = error;
		for (const listener of this.#listeners) listener.failed(error);
		this.#listeners.clear();
	}

	#keep(batch: readonly TurnEvent[]): void {
		for (const event of batch) {
			if (event.type === "activity" || !this.#events) continue;
			this.#size += "text" in event ? event.text.length : 64;
			this.#events.push(event);
		}
		if (this.#size > MOST_CHARACTERS) this.#events = undefined;
	}
}
