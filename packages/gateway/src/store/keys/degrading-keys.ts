import type { Failover } from "../failover.ts";
import type { MemoryStore } from "../memory/memory-store.ts";
import type { Store, StoredKey } from "../store.ts";
import type { KeyJournal } from "./key-journal.ts";
import { mergeKeys, missingKeys } from "./merge-keys.ts";

export interface DegradingKeysOptions {
	stores: Pick<Failover, "isDegraded" | "write" | "readPrimary">;
	memory: MemoryStore;
	journal: KeyJournal | undefined;
}

/**
 * The gateway keys, as far as possible also without the real store. Without keys no client could be admitted, so they
 * are kept three times: in the real store, in a file beside it, and in memory. All three are brought to the same state
 * whenever they are read.
 */
export class DegradingKeys {
	readonly #options: DegradingKeysOptions;

	constructor(options: DegradingKeysOptions) {
		this.#options = options;
	}

	/** What is wrong with the second copy. */
	get problem(): string | undefined {
		return this.#options.journal?.problem;
	}

	async listKeys(): Promise<StoredKey[]> {
		const { stores, memory, journal } = this.#options;
		const kept = stores.isDegraded ? undefined : await stores.readPrimary((store) => store.listKeys());
		const keys = mergeKeys(kept ?? (await memory.listKeys()), journal?.read() ?? []);
		memory.mirrorKeys(keys);
		journal?.add(keys.filter(isLasting));
		if (kept && missingKeys(kept, keys).length > 0) await stores.write((store) => bringKeys(store, keys));
		return memory.listKeys();
	}

	async addKey(record: StoredKey): Promise<void> {
		const { stores, memory } = this.#options;
		await memory.addKey(record);
		await stores.write((store) => store.addKey(record));
		await this.listKeys();
	}

	async revokeKey(id: string, at: number): Promise<boolean> {
		const { stores, memory, journal } = this.#options;
		const record = (await this.listKeys()).find((key) => key.id === id);
		if (!record || record.revokedAt !== undefined) return false;
		const revoked = [{ ...record, revokedAt: at }];
		await memory.revokeKey(id, at);
		journal?.add(revoked.filter(isLasting));
		await stores.write((store) => bringKeys(store, revoked));
		return true;
	}

	async touchKey(id: string, at: number): Promise<void> {
		const { stores, memory } = this.#options;
		await memory.touchKey(id, at);
		await stores.write((store) => store.touchKey(id, at));
	}

	async renewKey(id: string, expiresAt: number): Promise<boolean> {
		const { stores, memory } = this.#options;
		await memory.renewKey(id, expiresAt);
		return stores.write((store) => store.renewKey(id, expiresAt));
	}

	/** Gives a store that was just opened what it does not know. */
	async handOver(opened: Store): Promise<void> {
		const { memory, journal } = this.#options;
		const keys = mergeKeys(await memory.listKeys(), journal?.read() ?? [], await opened.listKeys());
		await bringKeys(opened, keys);
		memory.mirrorKeys(keys);
		journal?.add(keys.filter(isLasting));
	}
}

/** The second copy is for keys that clients have for good. One that expires would only fill it. */
const isLasting = ({ expiresAt }: StoredKey): boolean => expiresAt === undefined;

/** Adds keys that the store lacks, and revokes those that it still has as valid. */
async function bringKeys(store: Store, keys: readonly StoredKey[]): Promise<void> {
	const present = await store.listKeys();
	for (const record of missingKeys(present, keys)) {
		const known = present.find(({ hash }) => hash === record.hash);
		if (known) await store.revokeKey(known.id, record.revokedAt!);
		else await store.addKey(record);
	}
}
