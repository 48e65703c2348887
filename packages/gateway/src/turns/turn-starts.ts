import { flushNow } from "../time/flush-soon.ts";
import type { Soon } from "../time/soon.ts";

/** How long turns may begin in one iteration of the event loop. That is enough for about five of them in a warm gateway. */
export const STARTS_MS = 0.25;

/** Does something later in this iteration of the event loop. */
type Schedule = (action: () => void) => void;

/**
 * Bounds how long turns begin in one iteration of the event loop. Hundreds of clients can ask at the same moment, and
 * the streams under way must not stand still until the last of them has been served. Turns begin in the order in which
 * they were asked for; where there are few of them, none waits.
 */
export class TurnStarts {
	readonly #schedule: Schedule;
	readonly #now: () => number;
	#waiting: (() => void)[] = [];
	/** When no more turns begin in this iteration; undefined as long as none has. */
	#until: number | undefined;

	constructor(schedule: Schedule = setImmediate, now = () => performance.now()) {
		this.#schedule = schedule;
		this.#now = now;
	}

	/** Begins the turn of a request. */
	begin<A, T>(work: (asked: A) => Soon<T>, asked: A): Soon<T> {
		if (this.#waiting.length > 0 || !this.#mayBegin()) return this.#wait(work, asked);
		return work(asked);
	}

	/** The first turn of an iteration always may. */
	#mayBegin(): boolean {
		if (this.#until !== undefined) return this.#now() < this.#until;
		this.#until = this.#now() + STARTS_MS;
		this.#schedule(this.#next);
		return true;
	}

	#wait<A, T>(work: (asked: A) => Soon<T>, asked: A): Promise<T> {
		return new Promise((resolve, reject) => {
			this.#waiting.push(() => {
				try {
					resolve(work(asked));
				} catch (error) {
					reject(error);
				}
			});
		});
	}

	/** An iteration is over: those that wait come before those that are still to ask, and deltas before both. */
	readonly #next = () => {
		flushNow();
		this.#until = undefined;
		let begun = 0;
		while (begun < this.#waiting.length && this.#mayBegin()) this.#waiting[begun++]!();
		if (begun > 0) this.#waiting = this.#waiting.slice(begun);
	};
}

/** There is one event loop, so all dialects share these. */
const starts = new TurnStarts();

/** Begins a turn now or in one of the next iterations of the event loop. */
export const beginTurn = <A, T>(work: (asked: A) => Soon<T>, asked: A): Soon<T> => starts.begin(work, asked);
