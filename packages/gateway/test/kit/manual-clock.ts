// A clock that stands still until a test moves it.
import type { Clock } from "../../src/time/clock.ts";

export class ManualClock implements Clock {
	#now = 0;
	#timers = new Set<{ at: number; callback: () => void }>();

	now(): number {
		return this.#now;
	}

	after(ms: number, callback: () => void): () => void {
		const timer = { at: this.#now + ms, callback };
		this.#timers.add(timer);
		return () => this.#timers.delete(timer);
	}

	/** Timers that wait. */
	get armed(): number {
		return this.#timers.size;
	}

	/** Moves time and runs what became due, in order. */
	advance(ms: number): void {
		const end = this.#now + ms;
		for (let timer = this.#nextUntil(end); timer !== undefined; timer = this.#nextUntil(end)) {
			this.#timers.delete(timer);
			this.#now = Math.max(this.#now, timer.at);
			timer.callback();
		}
		this.#now = end;
	}

	#nextUntil(end: number): { at: number; callback: () => void } | undefined {
		const due = [...this.#timers].filter(({ at }) => at <= end);
		return due.sort((a, b) => a.at - b.at)[0];
	}
}
