import { GatewayError } from "../turn/error.ts";
import { type ShareLimits, type Sharer, Shares } from "./shares.ts";

/** Turns under way at once. Guests can never take all of them: the owner's keys keep the rest. */
export const DEFAULT_TURN_LIMITS = { total: 256, perCaller: 64, guests: 192 } satisfies ShareLimits;

/** Counts turns under way, and refuses those beyond the limits at once: a queue would only hide the overload. */
export class TurnGate {
	readonly #turns: Shares;

	constructor(limits: ShareLimits = DEFAULT_TURN_LIMITS) {
		this.#turns = new Shares(limits);
	}

	/** Lets a turn begin and returns what has to be called, once, when it is over; a second call does nothing. */
	enter(caller: Sharer & { concurrentTurns?: number }): (() => void) | GatewayError {
		const shortage = this.#turns.shortage(caller, 1, caller.concurrentTurns);
		if (shortage) return new GatewayError(shortage === "caller" ? "caller-limit" : "overloaded");
		return this.#turns.take(caller, 1);
	}

	/** Turns under way, for metrics. */
	get running(): { total: number; callers: number } {
		return this.#turns.used;
	}
}
