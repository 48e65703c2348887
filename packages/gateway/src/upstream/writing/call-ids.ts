const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Makes call ids acceptable to model providers. A client's id may be anything. An invalid one is replaced, consistently
 * for the call and its result.
 */
export class CallIds {
	readonly #clean = new Map<string, string>();
	readonly #used = new Set<string>();
	/** The last number appended to an id, for ids that become equal once cleaned. */
	readonly #lastNumber = new Map<string, number>();

	clean(id: string): string {
		const known = this.#clean.get(id);
		if (known) return known;
		const legal = LEGAL.test(id) ? id : id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 56) || "call";
		let candidate = legal;
		for (let number = this.#lastNumber.get(legal) ?? 1; this.#used.has(candidate); ) {
			candidate = `${legal.slice(0, 56)}_${++number}`;
			this.#lastNumber.set(legal, number);
		}
		this.#clean.set(id, candidate);
		this.#used.add(candidate);
		return candidate;
	}
}
