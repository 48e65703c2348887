import { type Soon, soon } from "../../time/soon.ts";
import type { Failover } from "../failover.ts";
import type { MemorySpend } from "../memory/spend.ts";
import type { Store } from "../store.ts";
import type { CounterCopy } from "./counter-copy.ts";
import type { SpendJournal } from "./spend-journal.ts";
import { mergeLimits, missingLimits, type SpendLimit } from "./spend-limit.ts";
import type { SpendChange, SpendStore, SpendTake, SpendTaken } from "./spend-store.ts";

const COPY_EVERY_MS = 5_000;
/** Those that changed last. Each conversation may have one of its own. */
const MOST_COPIED = 500;

export interface DegradingSpendOptions {
	stores: Pick<Failover, "isDegraded" | "write" | "readPrimary" | "tryNow">;
	memory: MemorySpend;
	journal: SpendJournal | undefined;
	copy: CounterCopy | undefined;
	now(): number;
}

/**
 * The owner's limits and what was spent of them, as far as possible also without the real store. The limits are kept
 * three times, like keys: in the store, in a file beside it and in memory. What the counters of the store last said is
 * known in memory, which goes on from there; a counter that nobody can read is unknown, not empty.
 */
export class DegradingSpend implements SpendStore {
	readonly #options: DegradingSpendOptions;
	#copiedAt = Number.NEGATIVE_INFINITY;
	#isCopied = true;

	constructor(options: DegradingSpendOptions) {
		this.#options = options;
	}

	async listLimits(): Promise<SpendLimit[]> {
		const { stores, memory, journal } = this.#options;
		const kept = stores.isDegraded ? undefined : await stores.readPrimary((store) => store.listLimits());
		const limits = mergeLimits(kept ?? [], memory.listLimits(), journal?.read() ?? []);
		memory.putLimits(limits);
		journal?.add(limits);
		const missing = kept ? missingLimits(kept, limits) : [];
		if (missing.length > 0) await stores.write((store) => putAll(store, missing));
		return limits;
	}

	async putLimit(limit: SpendLimit): Promise<void> {
		const { stores, memory, journal } = this.#options;
		memory.putLimits([limit]);
		journal?.add([limit]);
		await stores.write((store) => store.putLimit(limit));
	}

	takeSpend(takes: readonly SpendTake[]): Soon<SpendTaken> {
		return soon(
			this.#ask((store) => store.takeSpend(takes)),
			(answer) => {
				if (answer) this.#mirror(takes, answer.used);
				const taken = answer ?? this.#memory.take(takes);
				this.#copyLater();
				return taken;
			},
		);
	}

	changeSpend(changes: readonly SpendChange[]): Soon<number[]> {
		return soon(
			this.#ask((store) => store.changeSpend(changes)),
			(used) => {
				if (used) this.#mirror(changes, used);
				const changed = used ?? this.#memory.change(changes);
				this.#copyLater();
				return changed;
			},
		);
	}

	readSpend(counters: readonly string[]): Soon<number[]> {
		return soon(
			this.#ask((store) => store.readSpend(counters)),
			(used) => used ?? this.#memory.read(counters),
		);
	}

	/** Gives a store that was just opened what it does not know. */
	async handOver(opened: Store): Promise<void> {
		const { memory, journal } = this.#options;
		const present = await opened.listLimits();
		// A store without any of the limits is a new one.
		if (present.length === 0 && (journal?.read().length ?? 0) > 0) memory.learn(this.#options.copy?.read() ?? []);
		const limits = mergeLimits(present, memory.listLimits(), journal?.read() ?? []);
		await putAll(opened, missingLimits(present, limits));
		memory.putLimits(limits);
		journal?.add(limits);
		await this.#handOverCounters(opened);
		memory.standsInSince = undefined;
	}

	close(): void {
		if (!this.#isCopied) this.#copyNow();
	}

	/** A store that was lost and begins anew is told all that is known, so that no limit begins anew with it. */
	async #handOverCounters(opened: Store): Promise<void> {
		const { memory } = this.#options;
		const unsaved = memory.unsaved();
		const present = await opened.readSpend(unsaved.map(({ change }) => change.counter));
		const changes = unsaved
			.map(({ change, used }, index) => (present[index] === 0 ? { ...change, amount: used } : change))
			.filter(({ amount }) => amount !== 0);
		if (changes.length > 0) await opened.changeSpend(changes);
		memory.saved(unsaved.map(({ change }) => change));
	}

	#copyLater(): void {
		this.#isCopied = false;
		if (Math.abs(this.#options.now() - this.#copiedAt) >= COPY_EVERY_MS) this.#copyNow();
	}

	#copyNow(): void {
		const { copy, memory, now } = this.#options;
		this.#copiedAt = now();
		this.#isCopied = true;
		copy?.write(memory.newest(MOST_COPIED));
	}

	get #memory(): MemorySpend {
		const { memory, now } = this.#options;
		memory.standsInSince ??= now();
		return memory;
	}

	#ask<T>(work: (store: Store) => Soon<T>): Soon<T | undefined> {
		return this.#options.stores.tryNow(work);
	}

	#mirror(changes: readonly SpendChange[], used: readonly number[]): void {
		for (const [index, change] of changes.entries()) this.#options.memory.mirror(change, used[index]!);
	}
}

async function putAll(store: Store, limits: readonly SpendLimit[]): Promise<void> {
	for (const limit of limits) await store.putLimit(limit);
}
