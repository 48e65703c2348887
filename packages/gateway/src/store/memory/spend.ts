import type { CopiedCounter } from "../spend/counter-copy.ts";
import { mergeLimits, type SpendLimit } from "../spend/spend-limit.ts";
import { type SpendChange, type SpendTake, type SpendTaken, SpendUnknownError } from "../spend/spend-store.ts";

interface Counter {
	used: number;
	expiresAt: number;
	since: number;
	/** What was added here and is in no other store yet. */
	unsaved: number;
}

/** Limits and counters in memory. As the stand-in of another store it goes on from what that one said last. */
export class MemorySpend {
	#limits: SpendLimit[] = [];
	readonly #counters = new Map<string, Counter>();
	readonly #now: () => number;
	/** While this memory stands in for another store: since when. Only counters that began later are known to be new. */
	standsInSince: number | undefined;

	constructor(now: () => number) {
		this.#now = now;
	}

	listLimits(): SpendLimit[] {
		return structuredClone(this.#limits);
	}

	putLimits(limits: readonly SpendLimit[]): void {
		this.#limits = mergeLimits(this.#limits, structuredClone([...limits]));
	}

	/** Throws a `SpendUnknownError` where it is not known how much was spent. Whatever only counts begins at nothing. */
	take(takes: readonly SpendTake[]): SpendTaken {
		const before = takes.map((take) => {
			const known = this.#counters.get(take.counter);
			if (!known && take.most !== undefined && !this.#isNew(take.since)) throw new SpendUnknownError(take.counter);
			return known?.used ?? 0;
		});
		const isRefused = takes.some(({ most, amount }, index) => most !== undefined && before[index]! + amount > most);
		return isRefused ? { taken: false, used: before } : { taken: true, used: this.change(takes) };
	}

	change(changes: readonly SpendChange[]): number[] {
		return changes.map((change) => this.#add(change));
	}

	read(counters: readonly string[]): number[] {
		return counters.map((counter) => this.#counters.get(counter)?.used ?? 0);
	}

	/** What another store says. */
	mirror({ counter, since, expiresAt }: SpendChange, used: number): void {
		this.#set(counter, { used, since, expiresAt, unsaved: this.#counters.get(counter)?.unsaved ?? 0 });
	}

	/** What a store said that is lost. */
	learn(counters: readonly CopiedCounter[]): void {
		for (const { counter, ...state } of counters) {
			if (!this.#counters.has(counter)) this.#counters.set(counter, { ...state, unsaved: 0 });
		}
	}

	/** Up to so many counters, those that changed last. */
	newest(most: number): CopiedCounter[] {
		return [...this.#counters]
			.slice(-most)
			.map(([counter, { used, since, expiresAt }]) => ({ counter, used, since, expiresAt }));
	}

	/** What another store does not know yet, and what its counters have to say if it has lost them. */
	unsaved(): { change: SpendChange; used: number }[] {
		return [...this.#counters].flatMap(([counter, { used, unsaved, since, expiresAt }]) =>
			expiresAt <= this.#now() ? [] : [{ change: { counter, amount: unsaved, since, expiresAt }, used }],
		);
	}

	/** Another store knows these now. */
	saved(changes: readonly SpendChange[]): void {
		for (const { counter, amount } of changes) {
			const known = this.#counters.get(counter);
			if (known) known.unsaved -= amount;
		}
	}

	cleanUp(): void {
		for (const [name, { expiresAt }] of this.#counters) if (expiresAt <= this.#now()) this.#counters.delete(name);
	}

	#add({ counter, amount, since, expiresAt }: SpendChange): number {
		const known = this.#counters.get(counter);
		const used = Math.max(0, (known?.used ?? 0) + amount);
		const unsaved = (known?.unsaved ?? 0) + amount;
		this.#set(counter, { used, unsaved, since: known?.since ?? since, expiresAt });
		return used;
	}

	/** The one that changed last is the last one. */
	#set(counter: string, state: Counter): void {
		this.#counters.delete(counter);
		this.#counters.set(counter, state);
	}

	#isNew(since: number): boolean {
		return this.standsInSince === undefined || since >= this.standsInSince;
	}
}
