import type { Clock } from "../wire/clock.ts";
import { StoreUnavailableError } from "./errors.ts";
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

export interface DegradingStoreOptions {
	/** Opens the real store; throws or rejects where it cannot be used. */
	open: () => Store | Promise<Store>;
	memory: MemoryStore;
	clock: Clock;
	warn: (message: string) => void;
}

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
	readonly #options: DegradingStoreOptions;
	readonly #memory: MemoryStore;
	readonly #warn: (message: string) => void;
	readonly #ledger: LedgerBuffer;
	/** Responses that the client has deleted and a file that cannot be written still has. */
	readonly #deleted = new Map<string, { caller: string; id: string }>();
	#primary: Store | undefined;
	#degraded: string | undefined;
	#cancelRecovery: (() => void) | undefined;
	#cancelCleanUp: (() => void) | undefined;
	#isClosed = false;

	private constructor(options: DegradingStoreOptions) {
		this.#options = options;
		this.#memory = options.memory;
		this.#warn = limitWarnings(options.warn, options.clock, MINUTE);
		this.#ledger = new LedgerBuffer({ clock: options.clock, write: (rows) => this.#writeLedger(rows) });
		this.#cleanUpLater();
	}

	/** Starts in memory where the real store is unavailable; any other failure to open it is thrown. */
	static async open(options: DegradingStoreOptions): Promise<DegradingStore> {
		const store = new DegradingStore(options);
		try {
			await store.#attach();
		} catch (error) {
			if (!(error instanceof StoreUnavailableError)) {
				await store.close();
				throw error;
			}
			store.#degrade(error);
		}
		return store;
	}

	get kind(): Store["kind"] {
		return this.status().mode;
	}

	status(): StoreStatus {
		if (this.#degraded !== undefined) return { mode: "memory", degraded: this.#degraded };
		return { mode: this.#primary?.kind ?? "memory" };
	}

	putCheckpoint(record: CheckpointRecord, blobs: ReadonlyMap<string, Uint8Array>): Promise<boolean> {
		return this.#write((store) => store.putCheckpoint(record, blobs));
	}

	findCheckpoint(caller: string, key: string): Promise<FoundCheckpoint | undefined> {
		return this.#read((store) => store.findCheckpoint(caller, key));
	}

	putAnswer(caller: string, requestHash: string, payload: Uint8Array, ttlMs: number): Promise<void> {
		return this.#write((store) => store.putAnswer(caller, requestHash, payload, ttlMs));
	}

	findAnswer(caller: string, requestHash: string): Promise<Uint8Array | undefined> {
		return this.#read((store) => store.findAnswer(caller, requestHash));
	}

	putResponse(caller: string, id: string, payload: Uint8Array, ttlMs: number): Promise<void> {
		this.#deleted.delete(JSON.stringify([caller, id]));
		return this.#write((store) => store.putResponse(caller, id, payload, ttlMs));
	}

	async getResponse(caller: string, id: string): Promise<Uint8Array | undefined> {
		if (this.#deleted.has(JSON.stringify([caller, id]))) return undefined;
		return this.#read((store) => store.getResponse(caller, id));
	}

	async deleteResponse(caller: string, id: string): Promise<boolean> {
		const existed = (await this.getResponse(caller, id)) !== undefined;
		await this.#memory.deleteResponse(caller, id);
		await this.#write((store) => store.deleteResponse(caller, id));
		if (existed && this.#degraded !== undefined) this.#deleted.set(JSON.stringify([caller, id]), { caller, id });
		return existed;
	}

	async listKeys(): Promise<KeyRecord[]> {
		if (this.#degraded === undefined) {
			const records = await this.#readPrimary((store) => store.listKeys());
			if (records) this.#memory.mirrorKeys(records);
		}
		return this.#memory.listKeys();
	}

	async addKey(record: KeyRecord): Promise<void> {
		await this.#memory.addKey(record);
		await this.#write((store) => store.addKey(record));
	}

	async revokeKey(id: string, at: number): Promise<boolean> {
		const inMemory = await this.#memory.revokeKey(id, at);
		return (await this.#write((store) => store.revokeKey(id, at))) || inMemory;
	}

	async touchKey(id: string, at: number): Promise<void> {
		await this.#memory.touchKey(id, at);
		await this.#write((store) => store.touchKey(id, at));
	}

	record(row: LedgerRow): void {
		this.#ledger.record(row);
	}

	appendLedger(rows: readonly LedgerRow[]): Promise<void> {
		return this.#write((store) => store.appendLedger(rows));
	}

	async usageSince(since: number): Promise<UsageRow[]> {
		await this.#ledger.flush();
		const kept = await this.#readPrimary((store) => store.usageSince(since));
		return mergeUsage([...(kept ?? []), ...(await this.#memory.usageSince(since))]);
	}

	async lastRequests(count: number): Promise<LedgerRow[]> {
		await this.#ledger.flush();
		const kept = await this.#readPrimary((store) => store.lastRequests(count));
		return [...(await this.#memory.lastRequests(count)), ...(kept ?? [])].slice(0, count);
	}

	async cleanUp(): Promise<void> {
		await this.#memory.cleanUp();
		if (this.#degraded === undefined) await this.#write((store) => store.cleanUp());
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		this.#cancelRecovery?.();
		this.#cancelCleanUp?.();
		await this.#ledger.flush();
		await this.#drop(this.#primary);
	}

	/** Tries the real store, and memory where that fails. */
	async #write<T>(write: (store: Store) => Promise<T>): Promise<T> {
		const primary = this.#primary;
		if (primary && this.#degraded === undefined) {
			try {
				return await write(primary);
			} catch (error) {
				this.#degrade(error);
			}
		}
		return write(this.#memory);
	}

	/** Asks the store that is written to, then the other one. */
	async #read<T>(find: (store: Store) => Promise<T | undefined>): Promise<T | undefined> {
		if (this.#degraded !== undefined) return (await find(this.#memory)) ?? this.#readPrimary(find);
		return (await this.#readPrimary(find)) ?? find(this.#memory);
	}

	async #readPrimary<T>(find: (store: Store) => Promise<T>): Promise<T | undefined> {
		const primary = this.#primary;
		if (!primary) return undefined;
		try {
			return await find(primary);
		} catch (error) {
			this.#degrade(error);
			// What cannot even be read is of no more use.
			if (this.#primary === primary) this.#primary = undefined;
			await this.#drop(primary);
			return undefined;
		}
	}

	async #writeLedger(rows: LedgerRow[]): Promise<void> {
		try {
			await this.appendLedger(rows);
		} catch (error) {
			this.#warn(`${rows.length} rows of the ledger were lost: ${(error as Error).message}`);
		}
	}

	/** Throws what is not the store's circumstances but a bug. */
	#degrade(error: unknown): void {
		if (!(error instanceof StoreUnavailableError)) throw error;
		this.#degraded ??= error.message;
		this.#warn(`The store is unavailable, memory stands in for it: ${error.message}`);
		this.#recoverLater();
	}

	#recoverLater(): void {
		if (this.#isClosed || this.#cancelRecovery) return;
		this.#cancelRecovery = this.#options.clock.after(MINUTE, () => void this.#recover());
	}

	async #recover(): Promise<void> {
		this.#cancelRecovery = undefined;
		try {
			await this.#attach();
			this.#warn("The store is available again.");
		} catch (error) {
			this.#degraded = (error as Error).message;
			this.#warn(`The store is still unavailable, memory stands in for it: ${this.#degraded}`);
			this.#recoverLater();
		}
	}

	/** Opens the real store and gives it the keys, deletions and ledger rows that only memory has. */
	async #attach(): Promise<void> {
		const opened = await this.#options.open();
		try {
			for (const record of await this.#memory.listKeys()) {
				await opened.addKey(record);
				if (record.revokedAt !== undefined) await opened.revokeKey(record.id, record.revokedAt);
			}
			for (const { caller, id } of this.#deleted.values()) await opened.deleteResponse(caller, id);
			const rows = [...this.#memory.ledgerRows()];
			if (rows.length > 0) await opened.appendLedger(rows);
			this.#memory.dropLedger(rows.length);
			this.#memory.mirrorKeys(await opened.listKeys());
		} catch (error) {
			await this.#drop(opened);
			throw error;
		}
		const former = this.#primary;
		this.#primary = opened;
		this.#degraded = undefined;
		this.#deleted.clear();
		await this.#drop(former);
		if (this.#isClosed) await this.#drop(opened);
	}

	async #drop(store: Store | undefined): Promise<void> {
		try {
			await store?.close();
		} catch {
			// It is given up because it fails; that it fails to close as well says nothing new.
		}
	}

	#cleanUpLater(): void {
		this.#cancelCleanUp = this.#options.clock.after(CLEAN_UP_EVERY, () => {
			this.#cleanUpLater();
			this.cleanUp().catch((error: Error) => this.#warn(`The store could not be cleaned up: ${error.message}`));
		});
	}
}
