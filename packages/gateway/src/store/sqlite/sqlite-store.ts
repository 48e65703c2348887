import { setImmediate as nextTurn } from "node:timers/promises";
import { inSlices } from "../../time/slices.ts";
import { EXPIRED_KEYS_KEPT_MS } from "../keys/expired-keys.ts";
import type { FoundRows, GroupedBy, LedgerGroup, LedgerNames, RowFilter, StoredRow } from "../ledger-reads.ts";
import type { LedgerRow } from "../ledger-row.ts";
import { DISK_LIMITS, type StoreLimits } from "../limits.ts";
import { type PoolReading, READINGS_KEPT_MS } from "../pool-readings.ts";
import type { SpendLimit } from "../spend/spend-limit.ts";
import type { SpendChange, SpendTake, SpendTaken } from "../spend/spend-store.ts";
import type { FoundCheckpoint, LedgerTotals, Store, StoredCheckpoint, StoredKey } from "../store.ts";
import { SqliteCheckpoints } from "./checkpoints.ts";
import type { SqlDatabase } from "./database.ts";
import { SqliteKeys } from "./keys.ts";
import { SqliteLedger } from "./ledger.ts";
import { SqliteLedgerGroups } from "./ledger-groups.ts";
import { SqliteLedgerSearch } from "./ledger-search.ts";
import { openDatabase } from "./open.ts";
import { SqlitePayloads } from "./payloads.ts";
import { SqlitePoolReadings } from "./pool-readings.ts";
import { SqliteSpend } from "./spend.ts";

export interface SqliteStoreOptions {
	file: string;
	/** Milliseconds since 1970. */
	now: () => number;
	warn: (message: string) => void;
	/** Called when stored data is gone, with the reason. */
	lost?: (reason: string) => void;
	limits?: StoreLimits;
}

/** How many records are removed at once: well under a millisecond of lock. */
const CLEAN_UP_STEP = 50;
/** How many free pages each clean-up returns to the disk. */
const VACUUM_PAGES = 1024;

/**
 * One SQLite file, which several processes may share. Every method has finished its work when it returns its promise,
 * except those that read or write something long.
 */
export class SqliteStore implements Store {
	readonly kind = "sqlite";
	readonly #database: SqlDatabase;
	readonly #limits: StoreLimits;
	readonly #now: () => number;
	readonly #checkpoints: SqliteCheckpoints;
	readonly #responses: SqlitePayloads;
	readonly #keys: SqliteKeys;
	readonly #ledger: SqliteLedger;
	readonly #search: SqliteLedgerSearch;
	readonly #groups: SqliteLedgerGroups;
	readonly #readings: SqlitePoolReadings;
	readonly #spend: SqliteSpend;

	/** Throws a `StoreUnavailableError` or a `StoreVersionError` if the file cannot be used. */
	constructor({ file, now, warn, lost = () => {}, limits = DISK_LIMITS }: SqliteStoreOptions) {
		this.#database = openDatabase(file, { now, warn, lost });
		this.#limits = limits;
		this.#now = now;
		this.#checkpoints = new SqliteCheckpoints(this.#database, limits, now);
		this.#responses = new SqlitePayloads(this.#database, "responses", limits.responses, now);
		this.#keys = new SqliteKeys(this.#database);
		this.#ledger = new SqliteLedger(this.#database);
		this.#search = new SqliteLedgerSearch(this.#database, this.#ledger);
		this.#groups = new SqliteLedgerGroups(this.#database);
		this.#readings = new SqlitePoolReadings(this.#database);
		this.#spend = new SqliteSpend(this.#database);
	}

	async putCheckpoint(record: StoredCheckpoint, blobs: ReadonlyMap<string, Uint8Array>): Promise<boolean> {
		return this.#checkpoints.put(record, blobs);
	}

	async findCheckpoint(caller: string, key: string): Promise<FoundCheckpoint | undefined> {
		return this.#checkpoints.find(caller, key);
	}

	async putResponse(caller: string, id: string, payload: Uint8Array, ttlMs: number): Promise<void> {
		await inSlices(this.#responses.put(caller, id, payload, ttlMs));
	}

	async getResponse(caller: string, id: string): Promise<Uint8Array | undefined> {
		return inSlices(this.#responses.get(caller, id));
	}

	async deleteResponse(caller: string, id: string): Promise<boolean> {
		return this.#responses.delete(caller, id);
	}

	async listKeys(): Promise<StoredKey[]> {
		return this.#keys.list();
	}

	async addKey(record: StoredKey): Promise<void> {
		this.#keys.add(record);
	}

	async revokeKey(id: string, at: number): Promise<boolean> {
		return this.#keys.revoke(id, at);
	}

	async touchKey(id: string, at: number): Promise<void> {
		this.#keys.touch(id, at);
	}

	async renewKey(id: string, expiresAt: number): Promise<boolean> {
		return this.#keys.renew(id, expiresAt);
	}

	async appendLedger(rows: readonly LedgerRow[]): Promise<void> {
		this.#ledger.append(rows);
	}

	async usageSince(since: number): Promise<LedgerTotals[]> {
		return this.#ledger.usageSince(since);
	}

	async lastRequests(count: number): Promise<StoredRow[]> {
		return this.#ledger.last(count);
	}

	async findRows(filter: RowFilter, limit: number): Promise<FoundRows> {
		return inSlices(this.#search.find(filter, limit));
	}

	async findRow(id: number): Promise<StoredRow | undefined> {
		return this.#ledger.row(id);
	}

	async conversationRows(conversation: string): Promise<StoredRow[]> {
		return inSlices(this.#search.conversation(conversation));
	}

	async ledgerNames(): Promise<LedgerNames> {
		return inSlices(this.#search.names());
	}

	async ledgerGroups(by: GroupedBy, since: number): Promise<LedgerGroup[]> {
		return inSlices(this.#groups.read(by, since));
	}

	async addPoolReading(reading: PoolReading): Promise<void> {
		this.#readings.add(reading);
	}

	async poolReadings(since: number): Promise<PoolReading[]> {
		return this.#readings.since(since);
	}

	async listLimits(): Promise<SpendLimit[]> {
		return this.#spend.list();
	}

	async putLimit(limit: SpendLimit): Promise<void> {
		this.#spend.put(limit);
	}

	takeSpend(takes: readonly SpendTake[]): SpendTaken {
		return this.#spend.take(takes);
	}

	changeSpend(changes: readonly SpendChange[]): number[] {
		return this.#spend.change(changes);
	}

	readSpend(counters: readonly string[]): number[] {
		return this.#spend.read(counters);
	}

	async cleanUp(): Promise<void> {
		const { ledgerTtlMs, ledgerRows } = this.#limits;
		await inSteps(() => this.#checkpoints.removeExpired(CLEAN_UP_STEP));
		await inSteps(() => SqlitePayloads.removeExpired(this.#database, this.#now(), CLEAN_UP_STEP));
		await inSteps(() => this.#ledger.removeSurplus(this.#now() - ledgerTtlMs, ledgerRows, CLEAN_UP_STEP));
		this.#keys.forgetExpired(this.#now() - EXPIRED_KEYS_KEPT_MS);
		await inSteps(() => this.#spend.removeExpired(this.#now(), CLEAN_UP_STEP));
		this.#readings.removeBefore(this.#now() - READINGS_KEPT_MS);
		this.#database.transaction(() => {
			this.#database.run("delete from stored where bytes = 0");
			this.#database.exec(`pragma incremental_vacuum(${VACUUM_PAGES})`);
		});
	}

	async close(): Promise<void> {
		try {
			this.#checkpoints.flush();
		} finally {
			this.#database.close();
		}
	}
}

/** Repeats a step while it finds something to do; requests are served in between. */
async function inSteps(step: () => number): Promise<void> {
	while (step() > 0) await nextTurn();
}
