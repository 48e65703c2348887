import { GatewayError } from "../turn/error.ts";

export interface TurnLimits {
	/** Turns under way at once. */
	total: number;
	perCaller: number;
}

export const DEFAULT_TURN_LIMITS: TurnLimits = { total: 256, perCaller: 64 };

/** Counts turns under way, and refuses those beyond the limits at once: a queue would only hide the overload. */
export class TurnGate {
	readonly #limits: TurnLimits;
	readonly #byCaller = new Map<string, number>();
	#total = 0;

	constructor(limits: TurnLimits = DEFAULT_TURN_LIMITS) {
		this.#limits = limits;
	}

	/** Lets a turn begin and returns what has to be called, once, when it is over; a second call does nothing. */
	enter(caller: { id: string; concurrentTurns?: number }): (() => void) | GatewayError {
		const { total, perCaller } = this.#limits;
		const running = this.#byCaller.get(caller.id) ?? 0;
		if (running >= (caller.concurrentTurns ?? perCaller)) return new GatewayError("caller-limit");
		if (this.#total >= total) return new GatewayError("overloaded");
		this.#total++;
		this.#byCaller.set(caller.id, running + 1);
		let isOver = false;
		return () => {
			if (isOver) return;
			isOver = true;
			this.#leave(caller.id);
		};
	}

	/** Turns under way, for metrics. */
	get running(): { total: number; callers: number } {
		return { total: this.#total, callers: this.#byCaller.size };
	}

	#leave(id: string): void {
		this.#total--;
		const running = this.#byCaller.get(id)! - 1;
		if (running === 0) this.#byCaller.delete(id);
		else this.#byCaller.set(id, running);
	}
}
