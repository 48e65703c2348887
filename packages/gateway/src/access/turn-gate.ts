import { GatewayError } from "../turn/error.ts";
import type { ErrorKind } from "../turn/error-kinds.ts";
import { Capacity, type CapacityLimits, type CapacityUser, type Shortage } from "./capacity.ts";

/** How many turns may run at once. Guests cannot take all of them, so the owner's keys always have some left. */
export const DEFAULT_TURN_LIMITS = { total: 256, perCaller: 64, guests: 192 } satisfies CapacityLimits;

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
	nextStep: "Wait for one of them to end, or use another key: this one has its own limit.",
} as const;

/** Limits how many turns run at once. Turns beyond the limits are refused: a queue would only hide the overload. */
export class TurnGate {
	readonly #turns: Capacity;

	constructor(limits: CapacityLimits = DEFAULT_TURN_LIMITS) {
		this.#turns = new Capacity(limits);
	}

	/** Lets a turn begin and returns the function to call when it has ended. Calling that again does nothing. */
	enter(caller: CapacityUser & { concurrentTurns?: number }): (() => void) | GatewayError {
		const shortage = this.#turns.shortage(caller, 1, caller.concurrentTurns);
		if (shortage === undefined) return this.#turns.take(caller, 1);
		const hasOwnLimit = shortage === "caller" && caller.concurrentTurns !== undefined;
		const { kind, nextStep } = hasOwnLimit ? OWN_LIMIT : REFUSALS[shortage];
		return new GatewayError(kind, undefined, { nextStep });
	}
}
