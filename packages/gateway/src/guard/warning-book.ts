/** Entries that are remembered, of counters that may never be seen again. */
const MOST = 4_096;

/** Which thresholds of counters were told of, and what is still to be told. */
export class WarningBook {
	readonly #told = new Set<string>();
	readonly #left = new Map<string, string>();

	/** Whether a threshold of a counter is crossed for the first time since its limit has this amount. */
	isFirst(counter: string, amount: number, level: number): boolean {
		const name = `${counter} ${amount} ${level}`;
		if (this.#told.has(name)) return false;
		this.#told.add(name);
		if (this.#told.size > MOST) this.#told.delete(this.#told.values().next().value!);
		return true;
	}

	/** Keeps a warning that comes too late for the turn it is about. The next turn that counts on the counter takes it. */
	leave(counter: string, text: string): void {
		this.#left.set(counter, text);
		if (this.#left.size > MOST) this.#left.delete(this.#left.keys().next().value!);
	}

	takeLeft(counter: string): string | undefined {
		const text = this.#left.get(counter);
		this.#left.delete(counter);
		return text;
	}
}
