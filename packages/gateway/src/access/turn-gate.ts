import { GatewayError } from "../turn/error.ts";
import type { ErrorKind } from "../turn/error-kinds.ts";
import { type ShareLimits, type Sharer, Shares, type Shortage } from "./shares.ts";

/** Turns under way at once. Guests can never take all of them: the owner's keys keep the rest. */
export const DEFAULT_TURN_LIMITS = { total: 256, perCaller: 64, guests: 192 } satisfies ShareLimits;

const REFUSALS = {
	caller: { kind: "caller-limit", nextStep: "Wait for one of them to end, or raise the setting maxTurnsPerKey." },
	guests: {
		kind: "overloaded",
		nextStep: "Wait and try again, use a gateway key, or raise the setting maxGuestTurns.",
	},
	all: { kind: "overloaded", nextStep: "Wait and try again, or raise the setting maxTurns." },
} as const satisfies Record<Shortage, { kind: ErrorKind; nextStep: string }>;

const OWN_LIMIT = {
	kind: "caller-limit",
	nextStep: "Wait for one of them to end, or use another key: this one was made with a limit of its own.",
} as const;

/** Counts turns under way, and refuses those beyond the limits at once: a queue would only hide the overload. */
export class TurnGate {
	readonly #turns: Shares;

	constructor(limits: ShareLimits = DEFAULT_TURN_LIMITS) {
		this.#turns = new Shares(limits);
	}

	/** Lets a turn begin and returns what has to be called, once, when it is over; a second call does nothing. */
	enter(caller: Sharer & { concurrentTurns?: number }): (() => void) | GatewayError {
		const shortage = this.#turns.shortage(caller, 1, caller.concurrentTurns);
		if (shortage === undefined) return this.#turns.take(caller, 1);
		const hasOwnLimit = shortage === "caller" && caller.concurrentTurns !== undefined;
		const { kind, nextStep } = hasOwnLimit ? OWN_LIMIT : REFUSALS[shortage];
		return new GatewayError(kind, undefined, { nextStep });
	}
}
