import { EXPIRED_KEYS_KEPT_MS } from "../keys/expired-keys.ts";
import type { FoundRows, GroupedBy, LedgerGroup, LedgerNames, RowFilter, StoredRow } from "../ledger-reads.ts";
import type { LedgerRow } from "../ledger-row.ts";
import { MEMORY_LIMITS, type StoreLimits } from "../limits.ts";
import { type PoolReading, READINGS_KEPT_MS } from "../pool-readings.ts";
import type { SpendLimit } from "../spend/spend-limit.ts";
import type { SpendChange, SpendTake, SpendTaken } from "../spend/spend-store.ts";
import type { FoundCheckpoint, LedgerTotals, Store, StoredCheckpoint, StoredKey } from "../store.ts";
import { MemoryCheckpoints } from "./checkpoints.ts";
import { MemoryLedger } from "./ledger.ts";
import { MemoryPayloads } from "./payloads.ts";
import { MemoryPoolReadings } from "./pool-readings.ts";
import { MemorySpend } from "./spend.ts";

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
	readonly #ledger: MemoryLedger;
	readonly #readings = new MemoryPoolReadings();
	readonly spend: MemorySpend;

	constructor({ now, limits = MEMORY_LIMITS }: MemoryStoreOptions) {
		this.#now = now;
		this.#limits = limits;
		this.spend = new MemorySpend(now);
		this.#checkpoints = new MemoryCheckpoints(limits, now);
		this.#ledger = new MemoryLedger(limits.ledgerRows);
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

	async renewKey(id: string, expiresAt: number): Promise<boolean> {
		const key = this.#keys.get(id);
		if (key?.expiresAt === undefined || key.revokedAt !== undefined) return false;
		key.expiresAt = Math.max(expiresAt, key.expiresAt);
		return true;
	}

	/** Copies the keys of another store. */
	mirrorKeys(records: readonly StoredKey[]): void {
		this.#keys = new Map(records.map((record) => [record.id, structuredClone(record)]));
	}

	async appendLedger(rows: readonly LedgerRow[]): Promise<void> {
		this.#ledger.append(rows);
	}

	async usageSince(since: number): Promise<LedgerTotals[]> {
		return this.#ledger.usageSince(since);
	}

	async lastRequests(count: number): Promise<StoredRow[]> {
		return this.#ledger.find({}, count).rows;
	}

	async findRows(filter: RowFilter, limit: number): Promise<FoundRows> {
		return this.#ledger.find(filter, limit);
	}

	async findRow(id: number): Promise<StoredRow | undefined> {
		return this.#ledger.row(id);
	}

	async conversationRows(conversation: string): Promise<StoredRow[]> {
		return this.#ledger.conversation(conversation);
	}

	async ledgerNames(): Promise<LedgerNames> {
		return this.#ledger.names();
	}

	async ledgerGroups(_by: GroupedBy, since: number): Promise<LedgerGroup[]> {
		return this.#ledger.groups(since);
	}

	/** The rows, oldest first, for a store that takes them over and gives them ids of its own. */
	ledgerRows(): LedgerRow[] {
		return this.#ledger.rows.map(({ id: _, ...row }) => row);
	}

	/** Forgets the oldest rows: another store has them. */
	dropLedger(count: number): void {
		this.#ledger.drop(count);
	}

	async addPoolReading(reading: PoolReading): Promise<void> {
		this.#readings.add(reading);
	}

	async poolReadings(since: number): Promise<PoolReading[]> {
		return this.#readings.since(since);
	}

	/** Forgets what was read of the pools: another store has it. */
	dropPoolReadings(): void {
		this.#readings.removeBefore(Number.POSITIVE_INFINITY);
	}

	async listLimits(): Promise<SpendLimit[]> {
		return this.spend.listLimits();
	}

	async putLimit(limit: SpendLimit): Promise<void> {
		this.spend.putLimits([limit]);
	}

	takeSpend(takes: readonly SpendTake[]): SpendTaken {
		return this.spend.take(takes);
	}

	changeSpend(changes: readonly SpendChange[]): number[] {
		return this.spend.change(changes);
	}

	readSpend(counters: readonly string[]): number[] {
		return this.spend.read(counters);
	}

	async cleanUp(): Promise<void> {
		this.spend.cleanUp();
		this.#checkpoints.cleanUp();
		this.#responses.cleanUp();
		this.#ledger.removeBefore(this.#now() - this.#limits.ledgerTtlMs);
		this.#readings.removeBefore(this.#now() - READINGS_KEPT_MS);
		for (const [id, { expiresAt = Number.POSITIVE_INFINITY }] of this.#keys) {
			if (expiresAt < this.#now() - EXPIRED_KEYS_KEPT_MS) this.#keys.delete(id);
		}
	}

	async close(): Promise<void> {}
}
