/** What can be on one roster at a time. Only the roster writes these fields. */
export interface Listed<Self> {
	/** The entry that was added before it. */
	older: Self | undefined;
	newer: Self | undefined;
}

/**
 * What is under way at the moment, in the order in which it began. A `Set` would do the same, but V8 gives it a new table
 * every few dozen additions, and each table that is given up refers to the next one. Tables that have become old keep the
 * newer ones alive, with all that was ever in them, until the whole heap is collected (ADR 35). Here, what has left refers
 * to nothing.
 */
export class Roster<Entry extends Listed<Entry>> implements Iterable<Entry> {
	#oldest: Entry | undefined;
	#newest: Entry | undefined;
	#size = 0;

	get size(): number {
		return this.#size;
	}

	add(entry: Entry): void {
		if (this.has(entry)) return;
		entry.older = this.#newest;
		if (this.#newest) this.#newest.newer = entry;
		else this.#oldest = entry;
		this.#newest = entry;
		this.#size++;
	}

	/** What is not on the roster may be removed too. */
	delete(entry: Entry): void {
		if (!this.has(entry)) return;
		const { older, newer } = entry;
		if (older) older.newer = newer;
		else this.#oldest = newer;
		if (newer) newer.older = older;
		else this.#newest = older;
		entry.older = undefined;
		entry.newer = undefined;
		this.#size--;
	}

	has(entry: Entry): boolean {
		return entry.older !== undefined || entry === this.#oldest;
	}

	/** While this goes on, nothing may leave: copy the roster where that can happen. */
	*[Symbol.iterator](): IterableIterator<Entry> {
		for (let entry = this.#oldest; entry; entry = entry.newer) yield entry;
	}
}
