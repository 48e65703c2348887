import type { Clock } from "../wire/clock.ts";
import { Failover, type FailoverOptions } from "./failover.ts";
import { LedgerBuffer } from "./ledger-buffer.ts";
import type { MemoryStore } from "./memory/memory-store.ts";
import type {
	CheckpointRecord,
	FoundCheckpoint,
	GatewayStore,
	KeyRecord,
	LedgerRow,
	Store,
	StoreStatus,
	UsageRow,
} from "./store.ts";
import { mergeUsage } from "./usage.ts";
import { limitWarnings } from "./warning-limit.ts";

export type DegradingStoreOptions = Omit<FailoverOptions, "handOver">;

const MINUTE = 60_000;
const CLEAN_UP_EVERY = 10 * MINUTE;

/**
 * A store that goes on in memory when the real one fails, and comes back to it when that works again.
 *
 * While memory stands in, what the real store can still be asked is asked (a full disk can be read). Afterwards memory
 * keeps answering for what was put there; keys and ledger rows move over. Keys are mirrored in memory all the time, as
 * without them nobody could get in.
 */
export class DegradingStore implements GatewayStore {
	readonly #memory: MemoryStore;
	readonly #clock: Clock;
	readonly #warn: (message: string) => void;
	readonly #stores: Failover;
	readonly #ledger: LedgerBuffer;
	/** Responses that the client has deleted and a file that cannot be written still has. */
	readonly #deleted = new Map<string, { caller: string; id: string }>();
	#cancelCleanUp: (() => void) | undefined;

	private constructor({ open, memory, clock, warn }: DegradingStoreOptions) {
		this.#memory = memory;
		this.#clock = clock;
		this.#warn = limitWarnings(warn, clock, MINUTE);
		const handOver = (opened: Store) => this.#handOver(opened);
		this.#stores = new Failover({ open, memory, clock, warn: this.#warn, handOver });
		this.#ledger = new LedgerBuffer({ clock, write: (rows) => this.#writeLedger(rows) });
	}

	/** Begins in memory where the real store is unavailable; any other failure to open it is thrown. */
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
		return this.#stores.status();
	}

	putCheckpoint(record: CheckpointRecord, blobs: ReadonlyMap<string, Uint8Array>): Promise<boolean> {
		return this.#stores.write((store) => store.putCheckpoint(record, blobs));
	}

	findCheckpoint(caller: string, key: string): Promise<FoundCheckpoint | undefined> {
		return this.#stores.read((store) => store.findCheckpoint(caller, key));
	}

	putAnswer(caller: string, requestHash: string, payload: Uint8Array, ttlMs: number): Promise<void> {
		return this.#stores.write((store) => store.putAnswer(caller, requestHash, payload, ttlMs));
	}

	findAnswer(caller: string, requestHash: string): Promise<Uint8Array | undefined> {
		return this.#stores.read((store) => store.findAnswer(caller, requestHash));
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

	async listKeys(): Promise<KeyRecord[]> {
		if (!this.#stores.isDegraded) {
			const records = await this.#stores.readPrimary((store) => store.listKeys());
			if (records) this.#memory.mirrorKeys(records);
		}
		return this.#memory.listKeys();
	}

	async addKey(record: KeyRecord): Promise<void> {
		await this.#memory.addKey(record);
		await this.#stores.write((store) => store.addKey(record));
	}

	async revokeKey(id: string, at: number): Promise<boolean> {
		const inMemory = await this.#memory.revokeKey(id, at);
		return (await this.#stores.write((store) => store.revokeKey(id, at))) || inMemory;
	}

	async touchKey(id: string, at: number): Promise<void> {
		await this.#memory.touchKey(id, at);
		await this.#stores.write((store) => store.touchKey(id, at));
	}

	record(row: LedgerRow): void {
		this.#ledger.record(row);
	}

	appendLedger(rows: readonly LedgerRow[]): Promise<void> {
		return this.#stores.write((store) => store.appendLedger(rows));
	}

	async usageSince(since: number): Promise<UsageRow[]> {
		await this.#ledger.flush();
		const kept = await this.#stores.readPrimary((store) => store.usageSince(since));
		return mergeUsage([...(kept ?? []), ...(await this.#memory.usageSince(since))]);
	}

	async lastRequests(count: number): Promise<LedgerRow[]> {
		await this.#ledger.flush();
		const kept = await this.#stores.readPrimary((store) => store.lastRequests(count));
		return [...(await this.#memory.lastRequests(count)), ...(kept ?? [])].slice(0, count);
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
		for (const record of await this.#memory.listKeys()) {
			await opened.addKey(record);
			if (record.revokedAt !== undefined) await opened.revokeKey(record.id, record.revokedAt);
		}
		this.#memory.mirrorKeys(await opened.listKeys());
		for (const { caller, id } of this.#deleted.values()) await opened.deleteResponse(caller, id);
		this.#deleted.clear();
		const rows = [...this.#memory.ledgerRows()];
		if (rows.length > 0) await opened.appendLedger(rows);
		this.#memory.dropLedger(rows.length);
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
