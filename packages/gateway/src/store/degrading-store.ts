import type { Clock } from "../time/clock.ts";
import type { Soon } from "../time/soon.ts";
import { DegradingLedger } from "./degrading-ledger.ts";
import { Failover, type FailoverOptions } from "./failover.ts";
import { DegradingKeys } from "./keys/degrading-keys.ts";
import type { KeyJournal } from "./keys/key-journal.ts";
import type {
	FoundRows,
	GroupedBy,
	HourCount,
	LedgerDay,
	LedgerGroup,
	LedgerNames,
	ModelsSince,
	RowFilter,
	StoredRow,
	SumsSince,
} from "./ledger-reads.ts";
import type { LedgerRow } from "./ledger-row.ts";
import type { Losses } from "./losses.ts";
import type { MemoryStore } from "./memory/memory-store.ts";
import type { PoolReading } from "./pool-readings.ts";
import type { CounterCopy } from "./spend/counter-copy.ts";
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
	/** The second copy of the counters of limits. */
	spendCopy?: CounterCopy;
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
 * memory is still found there; keys, limits and ledger rows are handed over.
 */
export class DegradingStore implements GatewayStore {
	readonly #memory: MemoryStore;
	readonly #clock: Clock;
	readonly #warn: (message: string) => void;
	readonly #stores: Failover;
	readonly #keys: DegradingKeys;
	readonly #ledger: DegradingLedger;
	readonly #losses: Losses | undefined;
	readonly #spend: DegradingSpend;
	/** Responses that a client has deleted, but that are still in a file that cannot be written. */
	readonly #deleted = new Map<string, { caller: string; id: string }>();
	#cancelCleanUp: (() => void) | undefined;

	private constructor(options: DegradingStoreOptions) {
		const { open, memory, clock, warn, journal, losses, spendJournal, spendCopy, now = Date.now } = options;
		this.#memory = memory;
		this.#losses = losses;
		this.#clock = clock;
		this.#warn = limitWarnings(warn, clock, MINUTE);
		const handOver = (opened: Store) => this.#handOver(opened);
		this.#stores = new Failover({ open, memory, clock, warn: this.#warn, handOver });
		this.#keys = new DegradingKeys({ stores: this.#stores, memory, journal });
		this.#spend = new DegradingSpend({
			stores: this.#stores,
			memory: memory.spend,
			journal: spendJournal,
			copy: spendCopy,
			now,
		});
		this.#ledger = new DegradingLedger({ stores: this.#stores, memory, clock, warn: this.#warn });
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
		const { problem } = this.#keys;
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

	listKeys(): Promise<StoredKey[]> {
		return this.#keys.listKeys();
	}

	addKey(record: StoredKey): Promise<void> {
		return this.#keys.addKey(record);
	}

	revokeKey(id: string, at: number): Promise<boolean> {
		return this.#keys.revokeKey(id, at);
	}

	touchKey(id: string, at: number): Promise<void> {
		return this.#keys.touchKey(id, at);
	}

	renewKey(id: string, expiresAt: number): Promise<boolean> {
		return this.#keys.renewKey(id, expiresAt);
	}

	async sharedSecret(fresh: Uint8Array): Promise<Uint8Array | undefined> {
		if (this.#stores.isDegraded) return undefined;
		return this.#stores.readPrimary(async (store) => store.sharedSecret?.(fresh));
	}

	get isLedgerBusy(): boolean {
		return this.#ledger.isBusy;
	}

	addToLedger(row: LedgerRow): void {
		this.#ledger.add(row);
	}

	appendLedger(rows: readonly LedgerRow[]): Promise<void> {
		return this.#ledger.append(rows);
	}

	usageSince(since: number): Promise<LedgerTotals[]> {
		return this.#ledger.usageSince(since);
	}

	lastRequests(count: number): Promise<StoredRow[]> {
		return this.#ledger.lastRequests(count);
	}

	findRows(filter: RowFilter, limit: number): Promise<FoundRows> {
		return this.#ledger.findRows(filter, limit);
	}

	findRow(id: number): Promise<StoredRow | undefined> {
		return this.#ledger.findRow(id);
	}

	conversationRows(conversation: string): Promise<StoredRow[]> {
		return this.#ledger.conversationRows(conversation);
	}

	ledgerNames(): Promise<LedgerNames> {
		return this.#ledger.ledgerNames();
	}

	ledgerGroups(by: GroupedBy, since: number): Promise<LedgerGroup[]> {
		return this.#ledger.ledgerGroups(by, since);
	}

	sumsSince(since: number): Promise<SumsSince> {
		return this.#ledger.sumsSince(since);
	}

	daysSince(since: number): Promise<LedgerDay[]> {
		return this.#ledger.daysSince(since);
	}

	hoursSince(since: number): Promise<HourCount[]> {
		return this.#ledger.hoursSince(since);
	}

	modelsSince(since: number): Promise<ModelsSince> {
		return this.#ledger.modelsSince(since);
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
		this.#spend.close();
		await this.#stores.close();
	}

	async #handOver(opened: Store): Promise<void> {
		await this.#keys.handOver(opened);
		await this.#spend.handOver(opened);
		for (const { caller, id } of this.#deleted.values()) await opened.deleteResponse(caller, id);
		this.#deleted.clear();
		await this.#ledger.handOver(opened);
		for (const reading of await this.#memory.poolReadings(0)) await opened.addPoolReading(reading);
		this.#memory.dropPoolReadings();
	}

	#cleanUpLater(): void {
		this.#cancelCleanUp = this.#clock.after(CLEAN_UP_EVERY, () => {
			this.#cleanUpLater();
			this.cleanUp().catch((error: Error) => this.#warn(`The store could not be cleaned up: ${error.message}`));
		});
	}
}
