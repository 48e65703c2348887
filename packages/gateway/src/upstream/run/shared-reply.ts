import type { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import type { TurnHandle, TurnListener } from "../../turn/listener.ts";
import type { AnsweringModel } from "../catalog/answering-model.ts";
import { HeldListener } from "./held-listener.ts";

/** A reply with more characters is not kept, and a retry of its request is a new turn. */
const MOST_CHARACTERS = 4 << 20;
/** What an event costs besides its text. A reply of single characters consists mostly of that. */
const EVENT_CHARACTERS = 64;

/**
 * One reply that several requests share: an identical retry gets it from its beginning, and live if it is still being
 * said. The run waits for the slowest listener, and is cancelled when the last one has left.
 */
export class SharedReply implements TurnListener {
	/** The conversation that the reply belongs to. */
	readonly session: string;
	readonly model: AnsweringModel;
	/** Released at the end of the reply. A run holds its whole request, and a shared reply is kept for minutes. */
	#run: TurnHandle | undefined;
	readonly #listeners = new Set<TurnListener>();
	/** Listeners that cannot take more at the moment. */
	readonly #slow = new Set<TurnListener>();
	#events: TurnEvent[] | undefined = [];
	#size = 0;
	#error: GatewayError | undefined;
	#over = false;
	#isGivenUp = false;

	constructor(run: TurnHandle, session: string, model: AnsweringModel) {
		this.#run = run;
		this.session = session;
		this.model = model;
	}

	/** The reply is in progress or complete. It has neither failed nor been cancelled. */
	get stands(): boolean {
		return this.#error === undefined && !this.#isGivenUp;
	}

	/** Whether a retry can still get this reply. */
	get usable(): boolean {
		return this.stands && this.#events !== undefined;
	}

	/** Nothing more is said. */
	get isOver(): boolean {
		return this.#over;
	}

	/** The number of characters that are kept. */
	get size(): number {
		return this.#events ? this.#size : 0;
	}

	/**
	 * Like `attach`, but the events come from the next turn of the event loop on. A reply that is complete already would
	 * otherwise reach its listener before whoever asked for it knows how the turn was opened.
	 */
	join(listener: TurnListener): TurnHandle {
		return this.attach(new HeldListener(listener));
	}

	/** Hands over what was said so far, then everything that follows. */
	attach(listener: TurnListener): TurnHandle {
		if (this.#events && this.#events.length > 0) listener.events([...this.#events]);
		if (this.#error) listener.failed(this.#error);
		else if (!this.#over) this.#listeners.add(listener);
		return {
			pause: () => this.#pause(listener),
			resume: () => this.#resume(listener),
			cancel: () => this.#leave(listener),
		};
	}

	events(batch: readonly TurnEvent[]): void {
		this.#keep(batch);
		if (batch.at(-1)?.type === "turn-end") this.#over = true;
		for (const listener of this.#listeners) listener.events(batch);
		if (!this.#over) return;
		this.#listeners.clear();
		this.#letGo();
	}

	failed(error: GatewayError): void {
		this.#over = true;
		this.#error = error;
		for (const listener of this.#listeners) listener.failed(error);
		this.#listeners.clear();
		this.#run = undefined;
	}

	#keep(batch: readonly TurnEvent[]): void {
		for (const event of batch) {
			if (event.type === "activity" || !this.#events) continue;
			this.#size += EVENT_CHARACTERS + textOf(event).length;
			this.#events.push(event);
		}
		if (this.#size > MOST_CHARACTERS) this.#events = undefined;
	}

	#pause(listener: TurnListener): void {
		if (this.#over) return;
		this.#slow.add(listener);
		this.#run?.pause();
	}

	#resume(listener: TurnListener): void {
		if (!this.#slow.delete(listener) || this.#slow.size > 0) return;
		this.#run?.resume();
		this.#letGo();
	}

	/** Not while the run is paused: another turn of it may follow, and somebody has to resume it. */
	#letGo(): void {
		if (this.#over && this.#slow.size === 0) this.#run = undefined;
	}

	#leave(listener: TurnListener): void {
		if (!this.#listeners.delete(listener) || this.#over) return;
		if (this.#listeners.size > 0) return this.#resume(listener);
		this.#over = true;
		this.#isGivenUp = true;
		this.#run?.cancel();
		this.#run = undefined;
	}
}

function textOf(event: TurnEvent): string {
	if (event.type === "tool-call") return event.arguments;
	return "text" in event ? event.text : "";
}
