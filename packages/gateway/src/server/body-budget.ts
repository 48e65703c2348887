import { Capacity, type CapacityLimits, type CapacityUser, type Shortage } from "../access/capacity.ts";
import type { Clock } from "../time/clock.ts";
import type { Soon } from "../time/soon.ts";
import { GatewayError } from "../turn/error.ts";
import type { BodyLimits } from "./body-limits.ts";

/** Room for a body that was asked for and may not be there yet. */
export interface BodyRoom {
	/** Undefined if there is room now. Rejects with a `GatewayError` if none becomes free in time. */
	readonly granted: Soon<void>;
	/** To be called when the body is parsed or will not come. A second call does nothing. */
	release(): void;
}

/**
 * Limits how many bytes of bodies are in memory at once. A body is only read when there is room for it. Until then it
 * stays with its sender. Room usually becomes free in an instant; if it does not for a while, the request is refused.
 */
export class BodyBudget {
	readonly #limits: BodyLimits;
	readonly #small: Lane;
	readonly #large: Lane;

	constructor(limits: BodyLimits, clock: Clock) {
		this.#limits = limits;
		this.#small = new Lane(limits.small, limits, clock);
		this.#large = new Lane(limits.large, limits, clock);
	}

	get smallBytes(): number {
		return this.#limits.smallBytes;
	}

	reserve(caller: CapacityUser, bytes: number): BodyRoom {
		return (bytes <= this.#limits.smallBytes ? this.#small : this.#large).reserve(caller, bytes);
	}

	/** How many bytes are reserved now. */
	get reserved(): number {
		return this.#small.reserved + this.#large.reserved;
	}
}

interface Waiter {
	caller: CapacityUser;
	bytes: number;
	grant(giveBack: () => void): void;
}

/** Room for bodies of one kind (small or large), and the requests that wait for it, first come first served. */
class Lane {
	readonly #bytes: Capacity;
	readonly #waiting: Capacity;
	readonly #waitMs: number;
	readonly #clock: Clock;
	readonly #queue = new Set<Waiter>();
	/** When room last became free. */
	#freedAt = Number.NEGATIVE_INFINITY;

	constructor(bytes: CapacityLimits, { waiting, waitMs }: BodyLimits, clock: Clock) {
		this.#bytes = new Capacity(bytes);
		this.#waiting = new Capacity(waiting);
		this.#waitMs = waitMs;
		this.#clock = clock;
	}

	get reserved(): number {
		return this.#bytes.used.total;
	}

	reserve(caller: CapacityUser, bytes: number): BodyRoom {
		const shortage = this.#shortageBehind(this.#queue, caller, bytes);
		if (shortage === undefined) return new Lane.#Held(this, this.#bytes.take(caller, bytes));
		const noPlace = this.#waiting.shortage(caller, 1);
		if (noPlace) return { granted: Promise.reject(noRoom(noPlace)), release() {} };
		return this.#wait(caller, bytes);
	}

	/** Room that there was at once. */
	static readonly #Held = class implements BodyRoom {
		readonly granted = undefined;
		readonly #lane: Lane;
		readonly #giveBack: () => void;

		constructor(lane: Lane, giveBack: () => void) {
			this.#lane = lane;
			this.#giveBack = giveBack;
		}

		release(): void {
			this.#lane.#release(this.#giveBack);
		}
	};

	#wait(caller: CapacityUser, bytes: number): BodyRoom {
		const leave = this.#waiting.take(caller, 1);
		let release = () => {};
		const granted = new Promise<void>((resolve, reject) => {
			const stop = () => {
				this.#queue.delete(waiter);
				leave();
				cancelTimeout();
			};
			const giveUp = (error: GatewayError) => {
				stop();
				reject(error);
				// Those behind it may need less room.
				this.#serve();
			};
			const cancelTimeout = this.#whenStuck(() => {
				giveUp(noRoom(this.#bytes.shortage(caller, bytes) ?? "all"));
			});
			const waiter: Waiter = {
				caller,
				bytes,
				grant: (giveBack) => {
					stop();
					release = () => this.#release(giveBack);
					resolve();
				},
			};
			release = () => this.#queue.has(waiter) && giveUp(new GatewayError("cancelled"));
			this.#queue.add(waiter);
		});
		return { granted, release: () => release() };
	}

	/** Calls back once when no room has become free for too long. The returned function cancels that. */
	#whenStuck(callback: () => void): () => void {
		let cancel = () => {};
		const look = (since: number) => {
			cancel = this.#clock.after(since + this.#waitMs - this.#clock.now(), () => {
				if (this.#freedAt > since) look(this.#freedAt);
				else callback();
			});
		};
		look(this.#clock.now());
		return () => cancel();
	}

	#release(giveBack: () => void): void {
		giveBack();
		this.#freedAt = this.#clock.now();
		this.#serve();
	}

	/** Grants room to those that wait, in order, as far as there is some. */
	#serve(): void {
		if (this.#queue.size === 0) return;
		const passedOver = new Set<Waiter>();
		for (const waiter of this.#queue) {
			if (this.#shortageBehind(passedOver, waiter.caller, waiter.bytes)) passedOver.add(waiter);
			else waiter.grant(this.#bytes.take(waiter.caller, waiter.bytes));
		}
	}

	/**
	 * Like `Capacity.shortage`, but nobody gets ahead of those who wait for the same room: the requests of a caller stay
	 * in order, and so do all requests that wait for the total.
	 */
	#shortageBehind(earlier: ReadonlySet<Waiter>, caller: CapacityUser, bytes: number): Shortage | undefined {
		for (const waiter of earlier) {
			if (waiter.caller.id === caller.id) return "caller";
			const shortage = this.#bytes.shortage(waiter.caller, waiter.bytes);
			if (shortage === "all" || (shortage === "guests" && caller.kind === "credential")) return shortage;
		}
		return this.#bytes.shortage(caller, bytes);
	}
}

function noRoom(shortage: Shortage): GatewayError {
	return shortage === "caller"
		? new GatewayError("caller-limit", "This key is sending more large requests at once than there is room for.", {
				nextStep: "Wait for one of them to arrive, or raise the setting bodyBudgetMiB.",
			})
		: new GatewayError("overloaded", "The gateway has no room for another large request at the moment.", {
				nextStep: "Wait and try again, or raise the setting bodyBudgetMiB.",
			});
}
