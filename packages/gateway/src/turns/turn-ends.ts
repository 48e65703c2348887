import { flushNow } from "../time/flush-soon.ts";

/** How long turns may end in one iteration of the event loop. That is enough for about eight of them in a warm gateway. */
export const ENDS_MS = 0.25;

/** The end of a turn. Its methods must not throw. */
export interface TurnEnding {
	/** Called once. */
	endNow(): void;
	/** So many end before it that it has to wait for a later iteration. Called at most once. */
	postponed(): void;
}

/**
 * Bounds how long turns end in one iteration of the event loop. One read can bring the ends of hundreds, each of which
 * counts, writes and closes a response, and the deltas of all others would wait for that. So they leave first, and what
 * is too much for one iteration ends in the next ones, in order.
 */
export class TurnEnds {
	readonly #schedule: (action: () => void) => void;
	readonly #now: () => number;
	#waiting: TurnEnding[] = [];
	/** How many of them know that they have to wait. */
	#told = 0;

	constructor(schedule: (action: () => void) => void = setImmediate, now = () => performance.now()) {
		this.#schedule = schedule;
		this.#now = now;
	}

	add(ending: TurnEnding): void {
		if (this.#waiting.push(ending) === 1) this.#schedule(this.#next);
	}

	readonly #next = () => {
		flushNow();
		const until = this.#now() + ENDS_MS;
		let ended = 0;
		// They stay in the list, so that one which is added meanwhile schedules nothing.
		do this.#waiting[ended++]!.endNow();
		while (ended < this.#waiting.length && this.#now() < until);
		this.#waiting = this.#waiting.slice(ended);
		if (this.#waiting.length > 0) this.#postpone(Math.max(0, this.#told - ended));
		this.#told = this.#waiting.length;
	};

	#postpone(told: number): void {
		for (let index = told; index < this.#waiting.length; index++) this.#waiting[index]!.postponed();
		// What they had still to say leaves in this iteration.
		flushNow();
		this.#schedule(this.#next);
	}
}

/** There is one event loop, so all turns share these. */
const ends = new TurnEnds();

/** Ends a turn in this iteration of the event loop, behind the deltas of others, or in a later one. */
export const endTurn = (ending: TurnEnding): void => ends.add(ending);
