// Real time that a test can move ahead instead of waiting for it.
import { type Clock, systemClock } from "../../src/time/clock.ts";

export class LeapingClock implements Clock {
	#ahead = 0;
	readonly #timers = new Set<{ at: number; fire: () => void }>();

	now(): number {
		return systemClock.now() + this.#ahead;
	}

	after(ms: number, callback: () => void): () => void {
		const stop = () => {
			this.#timers.delete(timer);
			cancel();
		};
		const fire = () => {
			stop();
			callback();
		};
		const timer = { at: this.now() + ms, fire };
		const cancel = systemClock.after(ms, fire);
		this.#timers.add(timer);
		return stop;
	}

	/**
	 * Moves time ahead and runs what becomes due on the way, in order. It happens at once: a leap over the interval of
	 * pings and their time-out is a peer that does not respond.
	 */
	leap(ms: number): void {
		const end = this.now() + ms;
		for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
			this.#ahead += Math.max(0, next.at - this.now());
			next.fire();
		}
		this.#ahead += Math.max(0, end - this.now());
	}

	#nextUntil(end: number): { at: number; fire: () => void } | undefined {
		const due = [...this.#timers].filter(({ at }) => at <= end);
		return due.sort((one, other) => one.at - other.at)[0];
	}
}
