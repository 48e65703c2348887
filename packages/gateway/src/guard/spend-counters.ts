/** A counter as it was last seen here, with what streams under way have said since. */
export interface SeenCounter {
	name: string;
	used: number;
	/** Estimated tokens of replies under way, which are in no store yet. */
	live: number;
	/** How many turns hold it. */
	holders: number;
}

/** Counters that turns under way have taken from, shared by all of them. */
export class SpendCounters {
	readonly #seen = new Map<string, SeenCounter>();

	get size(): number {
		return this.#seen.size;
	}

	/** What streams under way have said on a counter since it was last written. */
	liveOf(name: string): number {
		return this.#seen.get(name)?.live ?? 0;
	}

	hold(name: string): SeenCounter {
		const known = this.#seen.get(name);
		const counter = known ?? { name, used: 0, live: 0, holders: 0 };
		if (!known) this.#seen.set(name, counter);
		counter.holders++;
		return counter;
	}

	letGo(counter: SeenCounter): void {
		counter.holders--;
		if (counter.holders === 0) this.#seen.delete(counter.name);
	}
}
