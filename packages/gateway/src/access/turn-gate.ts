import type { Soon } from "../time/soon.ts";
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

/** The other gateways of a group, which have turns of the same callers. */
export interface TurnsElsewhere {
	/** Whether a caller may have so many turns here, with a limit for all gateways together. From now on they count. */
	begin(caller: string, here: number, limit: number): Promise<boolean>;
	/** How many are left. */
	ended(caller: string, here: number): void;
}

type Entrant = CapacityUser & { concurrentTurns?: number };

/** Limits how many turns run at once. Turns beyond the limits are refused: a queue would only hide the overload. */
export class TurnGate {
	readonly #turns: Capacity;
	readonly #elsewhere: TurnsElsewhere | undefined;

	constructor(limits: CapacityLimits = DEFAULT_TURN_LIMITS, elsewhere?: TurnsElsewhere) {
		this.#turns = new Capacity(limits);
		this.#elsewhere = elsewhere;
	}

	/** Lets a turn begin and returns the function to call when it has ended. Calling that again does nothing. */
	enter(caller: Entrant): Soon<(() => void) | GatewayError> {
		const shortage = this.#turns.shortage(caller, 1, caller.concurrentTurns);
		if (shortage !== undefined) return refused(shortage, caller);
		const leave = this.#turns.take(caller, 1);
		// The limits of this gateway protect itself. That of a key is for all gateways together.
		if (!this.#elsewhere || caller.concurrentTurns === undefined) return leave;
		return this.#enterGroup(this.#elsewhere, caller, caller.concurrentTurns, leave);
	}

	async #enterGroup(
		elsewhere: TurnsElsewhere,
		caller: Entrant,
		limit: number,
		leaveHere: () => void,
	): Promise<(() => void) | GatewayError> {
		const leave = () => {
			leaveHere();
			elsewhere.ended(caller.id, this.#turns.usedBy(caller));
		};
		if (await elsewhere.begin(caller.id, this.#turns.usedBy(caller), limit)) return leave;
		leave();
		return refused("caller", caller);
	}
}

function refused(shortage: Shortage, { concurrentTurns }: Entrant): GatewayError {
	const hasOwnLimit = shortage === "caller" && concurrentTurns !== undefined;
	const { kind, nextStep } = hasOwnLimit ? OWN_LIMIT : REFUSALS[shortage];
	return new GatewayError(kind, undefined, { nextStep });
}
