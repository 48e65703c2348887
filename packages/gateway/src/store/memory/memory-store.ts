import { mergeTotals, totalsOf } from "../ledger-totals.ts";
import { MEMORY_LIMITS, type StoreLimits } from "../limits.ts";
import type { FoundCheckpoint, LedgerRow, LedgerTotals, Store, StoredCheckpoint, StoredKey } from "../store.ts";
import { MemoryCheckpoints } from "./checkpoints.ts";
import { MemoryPayloads } from "./payloads.ts";

export interface MemoryStoreOptions {
	/** Milliseconds since 1970. */
	now: () => number;
	limits?: StoreLimits;
}

/** A store that ends with the process: for a gateway that should leave no traces, and for when the disk fails. */
export class MemoryStore implements Store {
	readonly kind = "memory";
	readonly #limits: StoreLimits;
	readonly #now: () => number;
	readonly #checkpoints: MemoryCheckpoints;
	readonly #responses: MemoryPayloads;
	#keys = new Map<string, StoredKey>();
	#ledger: LedgerRow[] = [];

	constructor({ now, limits = MEMORY_LIMITS }: MemoryStoreOptions) {
		this.#now = now;
		this.#limits = limits;
		this.#checkpoints = new MemoryCheckpoints(limits, now);
		this.#responses = new MemoryPayloads(limits.responses, now);
	}

	async putCheckpoint(record: StoredCheckpoint, blobs: ReadonlyMap<string, Uint8Array>): Promise<boolean> {
		return this.#checkpoints.put(record, blobs);
	}

	async findCheckpoint(caller: string, key: string): Promise<FoundCheckpoint | undefined> {
		return this.#checkpoints.find(caller, key);
	}

	async putResponse(caller: string, id: string, payload: Uint8Array, ttlMs: number): Promise<void> {
		this.#responses.put(caller, id, payload, ttlMs);
	}

	async getResponse(caller: string, id: string): Promise<Uint8Array | undefined> {
		return this.#responses.get(caller, id);
	}

	async deleteResponse(caller: string, id: string): Promise<boolean> {
		return this.#responses.delete(caller, id);
	}

	async listKeys(): Promise<StoredKey[]> {
		return structuredClone([...this.#keys.values()]);
	}

	async addKey(record: StoredKey): Promise<void> {
		const known = [...this.#keys.values()].some(({ id, hash }) => id === record.id || hash === record.hash);
		if (!known) this.#keys.set(record.id, structuredClone(record));
	}

	async revokeKey(id: string, at: number): Promise<boolean> {
		const key = this.#keys.get(id);
		if (!key || key.revokedAt !== undefined) return false;
		key.revokedAt = at;
		return true;
	}

	async touchKey(id: string, at: number): Promise<void> {
		const key = this.#keys.get(id);
		if (key) key.lastUsedAt = Math.max(at, key.lastUsedAt ?? 0);
	}

	/** Copies the keys of another store. */
	mirrorKeys(records: readonly StoredKey[]): void {
		this.#keys = new Map(records.map((record) => [record.id, structuredClone(record)]));
	}

	async appendLedger(rows: readonly LedgerRow[]): Promise<void> {
		for (const row of rows) this.#ledger.push({ ...row });
		const surplus = this.#ledger.length - this.#limits.ledgerRows;
		if (surplus > 0) this.dropLedger(surplus);
	}

	async usageSince(since: number): Promise<LedgerTotals[]> {
		return mergeTotals(this.#ledger.filter(({ at }) => at >= since).map(totalsOf));
	}

	async lastRequests(count: number): Promise<LedgerRow[]> {
		return this.#ledger.slice(Math.max(0, this.#ledger.length - count)).reverse();
	}

	/** The rows, oldest first, for a store that takes them over. */
	ledgerRows(): readonly LedgerRow[] {
		return this.#ledger;
	}

	/** Forgets the oldest rows: another store has them. */
	dropLedger(count: number): void {
		this.#ledger = this.#ledger.slice(count);
	}

	async cleanUp(): Promise<void> {
		this.#checkpoints.cleanUp();
		this.#responses.cleanUp();
		const oldest = this.#now() - this.#limits.ledgerTtlMs;
		this.#ledger = this.#ledger.filter(({ at }) => at >= oldest);
	}

	async close(): Promise<void> {}
}
