import type { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import type { TurnHandle, TurnListener } from "../../turn/listener.ts";
import type { AnsweringModel } from "../catalog/answering-model.ts";

/** Responses beyond this many characters are not kept: a retry of one is a new turn. */
const MOST_CHARACTERS = 4 << 20;
/** What an event costs beside its text: a response of single characters is mostly that. */
const EVENT_CHARACTERS = 64;

/**
 * One response, kept so that an identical retry gets the same one: from its beginning, and live where it still runs. The
 * run goes at the pace of the slowest listener, and is given up when the last one has left.
 */
export class SharedReply implements TurnListener {
	/** The conversation that the response belongs to. */
	readonly session: string;
	readonly model: AnsweringModel;
	/** Let go with the end of the response: a run holds its whole request, and recordings are kept for minutes. */
	#run: TurnHandle | undefined;
	readonly #listeners = new Set<TurnListener>();
	/** Those that cannot take more at the moment. */
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

	/** It is under way or complete; neither failed nor given up. */
	get stands(): boolean {
		return this.#error === undefined && !this.#isGivenUp;
	}

	/** A retry can still be served from here. */
	get usable(): boolean {
		return this.stands && this.#events !== undefined;
	}

	/** Characters that are kept. */
	get size(): number {
		return this.#events ? this.#size : 0;
	}

	/** Hands on what was said so far, then what comes. */
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

	/** Not while the run is paused: it may have another turn to come, and somebody has to let it go on. */
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
