import type { ByteBudget } from "../limits.ts";

/** What one caller has in memory, oldest entry first. */
interface Space<Entry> {
	entries: Map<string, Entry & { order: number }>;
	bytes: number;
}

/**
 * Entries by caller and key within a budget of bytes. Setting an entry makes it the newest; what no longer fits is
 * removed from the oldest on, first the caller's own entries, then those of all callers.
 */
export class Spaces<Entry extends object> {
	readonly #spaces = new Map<string, Space<Entry>>();
	#order = 0;
	#bytes = 0;

	get(caller: string, key: string): Entry | undefined {
		return this.#spaces.get(caller)?.entries.get(key);
	}

	set(caller: string, key: string, entry: Entry): void {
		let space = this.#spaces.get(caller);
		if (!space) {
			space = { entries: new Map(), bytes: 0 };
			this.#spaces.set(caller, space);
		}
		space.entries.delete(key);
		space.entries.set(key, { ...entry, order: this.#order++ });
	}

	delete(caller: string, key: string): boolean {
		const space = this.#spaces.get(caller);
		const existed = space?.entries.delete(key) ?? false;
		if (space?.entries.size === 0 && space.bytes === 0) this.#spaces.delete(caller);
		return existed;
	}

	/** Adds bytes to a caller's count, or subtracts them if the number is negative. */
	charge(caller: string, bytes: number): void {
		const space = this.#spaces.get(caller);
		if (!space) return;
		space.bytes += bytes;
		this.#bytes += bytes;
		if (space.entries.size === 0 && space.bytes === 0) this.#spaces.delete(caller);
	}

	/** The entry that has to be removed next to stay within the budget after a change by `caller`. */
	surplus(caller: string, budget: ByteBudget): { caller: string; key: string } | undefined {
		const space = this.#spaces.get(caller);
		if (space && space.bytes > budget.perCaller) return oldestIn(caller, space);
		return this.#bytes > budget.total ? this.#oldest() : undefined;
	}

	*entries(): Iterable<{ caller: string; key: string; entry: Entry }> {
		for (const [caller, { entries }] of this.#spaces) {
			for (const [key, entry] of entries) yield { caller, key, entry };
		}
	}

	#oldest(): { caller: string; key: string } | undefined {
		const oldest = [...this.#spaces].map(([caller, space]) => oldestIn(caller, space)).filter((entry) => entry);
		return oldest.sort((a, b) => a!.order - b!.order)[0];
	}
}

function oldestIn<Entry>(caller: string, space: Space<Entry>) {
	const first = space.entries.entries().next();
	return first.done ? undefined : { caller, key: first.value[0], order: first.value[1].order };
}
