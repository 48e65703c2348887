const MOST_KEPT = 1_000;

/** Calls that were answered without the run that waits for them, while the group could not be told. */
export class Orphans {
	readonly #byCall = new Map<string, string>();

	add(caller: string, calls: readonly string[]): void {
		for (const call of calls) this.#byCall.set(call, caller);
		for (const call of this.#byCall.keys()) {
			if (this.#byCall.size <= MOST_KEPT) return;
			this.#byCall.delete(call);
		}
	}

	/** By caller. They are forgotten here. */
	take(): Map<string, string[]> {
		const taken = new Map<string, string[]>();
		for (const [call, caller] of this.#byCall) taken.set(caller, [...(taken.get(caller) ?? []), call]);
		this.#byCall.clear();
		return taken;
	}
}
