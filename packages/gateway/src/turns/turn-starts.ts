import { flushNow } from "../time/flush-soon.ts";
import type { Soon } from "../time/soon.ts";

/** A turn takes a fraction of a millisecond to begin, and the deltas of all others wait for that long. */
export const STARTS_PER_ITERATION = 8;

/** Does something later in this iteration of the event loop. */
type Schedule = (action: () => void) => void;

/**
 * Bounds how many turns begin in one iteration of the event loop. Hundreds of clients can ask at the same moment, and
 * the streams under way must not stand still until the last of them has been served. Turns begin in the order in which
 * they were asked for; where there are few of them, none waits.
 */
export class TurnStarts {
	readonly #schedule: Schedule;
	readonly #waiting: (() => void)[] = [];
	#begun = 0;

	constructor(schedule: Schedule = setImmediate) {
		this.#schedule = schedule;
	}

	/** Begins the turn of a request. */
	begin<A, T>(work: (asked: A) => Soon<T>, asked: A): Soon<T> {
		if (this.#begun >= STARTS_PER_ITERATION) return this.#wait(work, asked);
		this.#count();
		return work(asked);
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

	#count(): void {
		if (this.#begun++ === 0) this.#schedule(this.#next);
	}

	/** An iteration is over: those that wait come before those that are still to ask, and deltas before both. */
	readonly #next = () => {
		flushNow();
		this.#begun = 0;
		for (const start of this.#waiting.splice(0, STARTS_PER_ITERATION)) {
			this.#count();
			start();
		}
	};
}

/** There is one event loop, so all dialects share these. */
const starts = new TurnStarts();

/** Begins a turn now or in one of the next iterations of the event loop. */
export const beginTurn = <A, T>(work: (asked: A) => Soon<T>, asked: A): Soon<T> => starts.begin(work, asked);
