import type { Clock } from "../time/clock.ts";
import type { Soon } from "../time/soon.ts";
import { Failover, type FailoverOptions } from "./failover.ts";
import type { KeyJournal } from "./key-journal.ts";
import { LedgerBuffer } from "./ledger-buffer.ts";
import { daysOf, hoursOf, modelsOf, sumsOf } from "./ledger-figures.ts";
import {
	type FoundRows,
	type GroupedBy,
	type HourCount,
	type LedgerDay,
	type LedgerGroup,
	type LedgerNames,
	MOST_OF_CONVERSATION,
	type ModelsSince,
	type RowFilter,
	type StoredRow,
	type SumsSince,
} from "./ledger-reads.ts";
import type { LedgerRow } from "./ledger-row.ts";
import { mergeTotals } from "./ledger-totals.ts";
import type { Losses } from "./losses.ts";
import type { MemoryStore } from "./memory/memory-store.ts";
import { mergeKeys, missingKeys } from "./merge-keys.ts";
import type { PoolReading } from "./pool-readings.ts";
import { namesOf } from "./row-filter.ts";
import { DegradingSpend } from "./spend/degrading-spend.ts";
import type { SpendJournal } from "./spend/spend-journal.ts";
import type { SpendLimit } from "./spend/spend-limit.ts";
import type { SpendChange, SpendTake, SpendTaken } from "./spend/spend-store.ts";
import type {
	FoundCheckpoint,
	GatewayStore,
	LedgerTotals,
	Store,
	StoredCheckpoint,
	StoredKey,
	StoreStatus,
} from "./store.ts";
import { limitWarnings } from "./warning-limit.ts";

export interface DegradingStoreOptions extends Omit<FailoverOptions, "handOver"> {
	/** The second copy of the keys. */
	journal?: KeyJournal;
	/** The second copy of the owner's limits. */
	spendJournal?: SpendJournal;
	/** Milliseconds since 1970. */
	now?: () => number;
	/** What was lost when the real store was opened. */
	losses?: Losses;
}

const MINUTE = 60_000;
const CLEAN_UP_EVERY = 10 * MINUTE;

/**
 * A store that continues in memory when the real one fails, and returns to it when it works again.
 *
 * In the meantime the real store is still read if possible (a full disk can be read). Afterwards, what was put into
 * memory is still found there; keys and ledger rows are handed over. Without keys no client could be admitted, so they
 * are kept three times: in the real store, in a file beside it, and in memory. All three are brought to the same state
 * whenever they are read.
 */
export class DegradingStore implements GatewayStore {
	readonly #memory: MemoryStore;
	readonly #clock: Clock;
	readonly #warn: (message: string) => void;
	readonly #stores: Failover;
	readonly #ledger: LedgerBuffer;
	readonly #journal: KeyJournal | undefined;
	readonly #losses: Losses | undefined;
	readonly #spend: DegradingSpend;
	/** Responses that a client has deleted, but that are still in a file that cannot be written. */
	readonly #deleted = new Map<string, { caller: string; id: string }>();
	#cancelCleanUp: (() => void) | undefined;

	private constructor(options: DegradingStoreOptions) {
		const { open, memory, clock, warn, journal, losses, spendJournal, now = Date.now } = options;
		this.#memory = memory;
		this.#journal = journal;
		this.#losses = losses;
		this.#clock = clock;
		this.#warn = limitWarnings(warn, clock, MINUTE);
		const handOver = (opened: Store) => this.#handOver(opened);
		this.#stores = new Failover({ open, memory, clock, warn: this.#warn, handOver });
		this.#spend = new DegradingSpend({ stores: this.#stores, memory: memory.spend, journal: spendJournal, now });
		this.#ledger = new LedgerBuffer({ clock, write: (rows) => this.#writeLedger(rows) });
	}

	/** Starts in memory if the real store is unavailable; any other failure to open it is thrown. */
	static async open(options: DegradingStoreOptions): Promise<DegradingStore> {
		const store = new DegradingStore(options);
		await store.#stores.start();
		store.#cleanUpLater();
		return store;
	}

	get kind(): Store["kind"] {
		return this.status().mode;
	}

	status(): StoreStatus {
		const problems = this.#losses?.list() ?? [];
		const { problem } = this.#journal ?? {};
		if (problem !== undefined) problems.push({ name: "keys", reason: problem });
		return { ...this.#stores.status(), ...(problems.length > 0 && { problems }) };
	}

	putCheckpoint(record: StoredCheckpoint, blobs: ReadonlyMap<string, Uint8Array>): Promise<boolean> {
		return this.#stores.write((store) => store.putCheckpoint(record, blobs));
	}

	findCheckpoint(caller: string, key: string): Promise<FoundCheckpoint | undefined> {
		return this.#stores.read((store) => store.findCheckpoint(caller, key));
	}

	putResponse(caller: string, id: string, payload: Uint8Array, ttlMs: number): Promise<void> {
		this.#deleted.delete(JSON.stringify([caller, id]));
		return this.#stores.write((store) => store.putResponse(caller, id, payload, ttlMs));
	}

	async getResponse(caller: string, id: string): Promise<Uint8Array | undefined> {
		if (this.#deleted.has(JSON.stringify([caller, id]))) return undefined;
		return this.#stores.read((store) => store.getResponse(caller, id));
	}

	async deleteResponse(caller: string, id: string): Promise<boolean> {
		const existed = (await this.getResponse(caller, id)) !== undefined;
		await this.#memory.deleteResponse(caller, id);
		await this.#stores.write((store) => store.deleteResponse(caller, id));
		if (existed && this.#stores.isDegraded) this.#deleted.set(JSON.stringify([caller, id]), { caller, id });
		return existed;
	}

	async listKeys(): Promise<StoredKey[]> {
		const kept = this.#stores.isDegraded ? undefined : await this.#stores.readPrimary((store) => store.listKeys());
		const keys = mergeKeys(kept ?? (await this.#memory.listKeys()), this.#journal?.read() ?? []);
		this.#memory.mirrorKeys(keys);
		this.#journal?.add(keys.filter(isLasting));
		if (kept && missingKeys(kept, keys).length > 0) await this.#stores.write((store) => bringKeys(store, keys));
		return this.#memory.listKeys();
	}

	async addKey(record: StoredKey): Promise<void> {
		await this.#memory.addKey(record);
		await this.#stores.write((store) => store.addKey(record));
		await this.listKeys();
	}

	async revokeKey(id: string, at: number): Promise<boolean> {
		const record = (await this.listKeys()).find((key) => key.id === id);
		if (!record || record.revokedAt !== undefined) return false;
		const revoked = [{ ...record, revokedAt: at }];
		await this.#memory.revokeKey(id, at);
		this.#journal?.add(revoked.filter(isLasting));
		await this.#stores.write((store) => bringKeys(store, revoked));
		return true;
	}

	async touchKey(id: string, at: number): Promise<void> {
		await this.#memory.touchKey(id, at);
		await this.#stores.write((store) => store.touchKey(id, at));
	}

	async renewKey(id: string, expiresAt: number): Promise<boolean> {
		await this.#memory.renewKey(id, expiresAt);
		return this.#stores.write((store) => store.renewKey(id, expiresAt));
	}

	async sharedSecret(fresh: Uint8Array): Promise<Uint8Array | undefined> {
		if (this.#stores.isDegraded) return undefined;
		return this.#stores.readPrimary(async (store) => store.sharedSecret?.(fresh));
	}

	addToLedger(row: LedgerRow): void {
		this.#ledger.record(row);
	}

	appendLedger(rows: readonly LedgerRow[]): Promise<void> {
		return this.#stores.write((store) => store.appendLedger(rows));
	}

	async usageSince(since: number): Promise<LedgerTotals[]> {
		await this.#ledger.flush();
		const kept = await this.#stores.readPrimary((store) => store.usageSince(since));
		return mergeTotals([...(kept ?? []), ...(await this.#memory.usageSince(since))]);
	}

	async lastRequests(count: number): Promise<StoredRow[]> {
		await this.#ledger.flush();
		const kept = await this.#stores.readPrimary((store) => store.lastRequests(count));
		return [...(await this.#memory.lastRequests(count)), ...(kept ?? [])].slice(0, count);
	}

	async findRows(filter: RowFilter, limit: number): Promise<FoundRows> {
		await this.#ledger.flush();
		const kept = await this.#stores.readPrimary((store) => store.findRows(filter, limit));
		const fresh = await this.#memory.findRows(filter, limit);
		const rows = [...fresh.rows, ...(kept?.rows ?? [])].slice(0, limit);
		return { rows, total: fresh.total + (kept?.total ?? 0) };
	}

	async findRow(id: number): Promise<StoredRow | undefined> {
		await this.#ledger.flush();
		return this.#stores.read((store) => store.findRow(id));
	}

	async conversationRows(conversation: string): Promise<StoredRow[]> {
		await this.#ledger.flush();
		const kept = await this.#stores.readPrimary((store) => store.conversationRows(conversation));
		const fresh = await this.#memory.conversationRows(conversation);
		return [...(kept ?? []), ...fresh].slice(-MOST_OF_CONVERSATION);
	}

	async ledgerNames(): Promise<LedgerNames> {
		await this.#ledger.flush();
		const kept = await this.#stores.readPrimary((store) => store.ledgerNames());
		const fresh = await this.#memory.ledgerNames();
		return namesOf([...(kept?.callers ?? []), ...fresh.callers], [...(kept?.models ?? []), ...fresh.models]);
	}

	async ledgerGroups(by: GroupedBy, since: number): Promise<LedgerGroup[]> {
		await this.#ledger.flush();
		const kept = await this.#stores.readPrimary((store) => store.ledgerGroups(by, since));
		return [...(kept ?? []), ...(await this.#memory.ledgerGroups(by, since))];
	}

	async sumsSince(since: number): Promise<SumsSince> {
		return sumsOf(await this.ledgerGroups("user", since));
	}

	async daysSince(since: number): Promise<LedgerDay[]> {
		return daysOf(await this.ledgerGroups("time", since));
	}

	async hoursSince(since: number): Promise<HourCount[]> {
		return hoursOf(await this.ledgerGroups("time", since));
	}

	async modelsSince(since: number): Promise<ModelsSince> {
		return modelsOf(await this.ledgerGroups("model", since));
	}

	addPoolReading(reading: PoolReading): Promise<void> {
		return this.#stores.write((store) => store.addPoolReading(reading));
	}

	async poolReadings(since: number): Promise<PoolReading[]> {
		const kept = await this.#stores.readPrimary((store) => store.poolReadings(since));
		return [...(kept ?? []), ...(await this.#memory.poolReadings(since))].sort((a, b) => a.at - b.at);
	}

	listLimits(): Promise<SpendLimit[]> {
		return this.#spend.listLimits();
	}

	putLimit(limit: SpendLimit): Promise<void> {
		return this.#spend.putLimit(limit);
	}

	takeSpend(takes: readonly SpendTake[]): Soon<SpendTaken> {
		return this.#spend.takeSpend(takes);
	}

	changeSpend(changes: readonly SpendChange[]): Soon<number[]> {
		return this.#spend.changeSpend(changes);
	}

	readSpend(counters: readonly string[]): Soon<number[]> {
		return this.#spend.readSpend(counters);
	}

	async cleanUp(): Promise<void> {
		await this.#memory.cleanUp();
		if (!this.#stores.isDegraded) await this.#stores.write((store) => store.cleanUp());
	}

	async close(): Promise<void> {
		this.#cancelCleanUp?.();
		await this.#ledger.flush();
		await this.#stores.close();
	}

	async #handOver(opened: Store): Promise<void> {
		const keys = mergeKeys(await this.#memory.listKeys(), this.#journal?.read() ?? [], await opened.listKeys());
		await bringKeys(opened, keys);
		this.#memory.mirrorKeys(keys);
		this.#journal?.add(keys.filter(isLasting));
		await this.#spend.handOver(opened);
		for (const { caller, id } of this.#deleted.values()) await opened.deleteResponse(caller, id);
		this.#deleted.clear();
		const rows = this.#memory.ledgerRows();
		if (rows.length > 0) await opened.appendLedger(rows);
		this.#memory.dropLedger(rows.length);
		for (const reading of await this.#memory.poolReadings(0)) await opened.addPoolReading(reading);
		this.#memory.dropPoolReadings();
	}

	async #writeLedger(rows: LedgerRow[]): Promise<void> {
		try {
			await this.appendLedger(rows);
		} catch (error) {
			this.#warn(`${rows.length} rows of the ledger were lost: ${(error as Error).message}`);
		}
	}

	#cleanUpLater(): void {
		this.#cancelCleanUp = this.#clock.after(CLEAN_UP_EVERY, () => {
			this.#cleanUpLater();
			this.cleanUp().catch((error: Error) => this.#warn(`The store could not be cleaned up: ${error.message}`));
		});
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
