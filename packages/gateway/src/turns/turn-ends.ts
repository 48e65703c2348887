import { flushNow } from "../time/flush-soon.ts";

/** Together they take about a millisecond. */
export const ENDS_PER_ITERATION = 16;

/**
 * Bounds how many turns end in one iteration of the event loop. One read can bring the ends of hundreds, each of which
 * counts, writes and closes a response, and the deltas of all others would wait for that. So they leave first, and what
 * is too much for one iteration ends in the next ones, in order.
 */
export class TurnEnds {
	readonly #schedule: (action: () => void) => void;
	#waiting: (() => void)[] = [];

	constructor(schedule: (action: () => void) => void = setImmediate) {
		this.#schedule = schedule;
	}

	/** `end` must not throw. Returns whether it comes in this iteration. */
	add(end: () => void): boolean {
		if (this.#waiting.push(end) === 1) this.#schedule(this.#next);
		return this.#waiting.length <= ENDS_PER_ITERATION;
	}

	readonly #next = () => {
		flushNow();
		const now = this.#waiting.slice(0, ENDS_PER_ITERATION);
		// While they end, none is added that would have to be scheduled.
		for (const end of now) end();
		this.#waiting = this.#waiting.slice(now.length);
		if (this.#waiting.length > 0) this.#schedule(this.#next);
	};
}

/** There is one event loop, so all turns share these. */
const ends = new TurnEnds();

/** Ends a turn in this iteration of the event loop, behind the deltas of others, or in a later one. */
export const endTurn = (end: () => void): boolean => ends.add(end);
