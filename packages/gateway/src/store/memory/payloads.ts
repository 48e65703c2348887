import { type ByteBudget, sizeOfBytes } from "../limits.ts";
import { Spaces } from "./spaces.ts";

interface Payload {
	payload: Uint8Array;
	expiresAt: number;
}

/** Byte strings by caller and id, each with its own time to live. */
export class MemoryPayloads {
	readonly #spaces = new Spaces<Payload>();
	readonly #budget: ByteBudget;
	readonly #now: () => number;

	constructor(budget: ByteBudget, now: () => number) {
		this.#budget = budget;
		this.#now = now;
	}

	put(caller: string, id: string, payload: Uint8Array, ttlMs: number): void {
		this.delete(caller, id);
		if (sizeOfBytes(payload) > Math.min(this.#budget.perCaller, this.#budget.total)) return;
		this.#spaces.set(caller, id, { payload: payload.slice(), expiresAt: this.#now() + ttlMs });
		this.#spaces.charge(caller, sizeOfBytes(payload));
		for (;;) {
			const surplus = this.#spaces.surplus(caller, this.#budget);
			if (!surplus) return;
			this.delete(surplus.caller, surplus.key);
		}
	}

	get(caller: string, id: string): Uint8Array | undefined {
		const found = this.#spaces.get(caller, id);
		return found && found.expiresAt > this.#now() ? found.payload : undefined;
	}

	delete(caller: string, id: string): boolean {
		const found = this.#spaces.get(caller, id);
		if (!found) return false;
		this.#spaces.delete(caller, id);
		this.#spaces.charge(caller, -sizeOfBytes(found.payload));
		return found.expiresAt > this.#now();
	}

	cleanUp(): void {
		for (const { caller, key, entry } of [...this.#spaces.entries()]) {
			if (entry.expiresAt <= this.#now()) this.delete(caller, key);
		}
	}
}
