import type { Clock } from "../time/clock.ts";
import type { Failover } from "./failover.ts";
import { LedgerBuffer } from "./ledger-buffer.ts";
import { daysOf, hoursOf, modelsOf, sumsOf } from "./ledger-figures.ts";
import {
	type FoundRows,
	type GroupedBy,
	type HourCount,
	type LedgerDay,
	type LedgerGroup,
	type LedgerNames,
	type LedgerReads,
	MOST_OF_CONVERSATION,
	type ModelsSince,
	type RowFilter,
	type StoredRow,
	type SumsSince,
} from "./ledger-reads.ts";
import type { LedgerRow } from "./ledger-row.ts";
import { mergeTotals } from "./ledger-totals.ts";
import type { MemoryStore } from "./memory/memory-store.ts";
import { namesOf } from "./row-filter.ts";
import type { LedgerTotals, Store } from "./store.ts";

export interface DegradingLedgerOptions {
	stores: Pick<Failover, "write" | "read" | "readPrimary">;
	memory: MemoryStore;
	clock: Clock;
	warn(message: string): void;
}

/**
 * The ledger, whose rows are in memory while the real store cannot be written. What is read is put together from both,
 * after everything that was recorded has been written.
 */
export class DegradingLedger implements LedgerReads {
	readonly #stores: DegradingLedgerOptions["stores"];
	readonly #memory: MemoryStore;
	readonly #warn: (message: string) => void;
	readonly #buffer: LedgerBuffer;

	constructor({ stores, memory, clock, warn }: DegradingLedgerOptions) {
		this.#stores = stores;
		this.#memory = memory;
		this.#warn = warn;
		this.#buffer = new LedgerBuffer({ clock, write: (rows) => this.#write(rows) });
	}

	/** Returns at once; the row is written a moment later, together with others. */
	add(row: LedgerRow): void {
		this.#buffer.record(row);
	}

	/** A row that is added now is written later. */
	get isBusy(): boolean {
		return this.#buffer.isBusy;
	}

	append(rows: readonly LedgerRow[]): Promise<void> {
		return this.#stores.write((store) => store.appendLedger(rows));
	}

	/** Resolves when every row that was added is written. */
	flush(): Promise<void> {
		return this.#buffer.flush();
	}

	async usageSince(since: number): Promise<LedgerTotals[]> {
		await this.#buffer.flush();
		const kept = await this.#stores.readPrimary((store) => store.usageSince(since));
		return mergeTotals([...(kept ?? []), ...(await this.#memory.usageSince(since))]);
	}

	async lastRequests(count: number): Promise<StoredRow[]> {
		await this.#buffer.flush();
		const kept = await this.#stores.readPrimary((store) => store.lastRequests(count));
		return [...(await this.#memory.lastRequests(count)), ...(kept ?? [])].slice(0, count);
	}

	async findRows(filter: RowFilter, limit: number): Promise<FoundRows> {
		await this.#buffer.flush();
		const kept = await this.#stores.readPrimary((store) => store.findRows(filter, limit));
		const fresh = await this.#memory.findRows(filter, limit);
		const rows = [...fresh.rows, ...(kept?.rows ?? [])].slice(0, limit);
		return { rows, total: fresh.total + (kept?.total ?? 0) };
	}

	async findRow(id: number): Promise<StoredRow | undefined> {
		await this.#buffer.flush();
		return this.#stores.read((store) => store.findRow(id));
	}

	async conversationRows(conversation: string): Promise<StoredRow[]> {
		await this.#buffer.flush();
		const kept = await this.#stores.readPrimary((store) => store.conversationRows(conversation));
		const fresh = await this.#memory.conversationRows(conversation);
		return [...(kept ?? []), ...fresh].slice(-MOST_OF_CONVERSATION);
	}

	async ledgerNames(): Promise<LedgerNames> {
		await this.#buffer.flush();
		const kept = await this.#stores.readPrimary((store) => store.ledgerNames());
		const fresh = await this.#memory.ledgerNames();
		return namesOf([...(kept?.callers ?? []), ...fresh.callers], [...(kept?.models ?? []), ...fresh.models]);
	}

	async ledgerGroups(by: GroupedBy, since: number): Promise<LedgerGroup[]> {
		await this.#buffer.flush();
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

	/** Gives a store that was just opened the rows that only memory has. */
	async handOver(opened: Store): Promise<void> {
		const rows = this.#memory.ledgerRows();
		if (rows.length > 0) await opened.appendLedger(rows);
		this.#memory.dropLedger(rows.length);
	}

	async #write(rows: LedgerRow[]): Promise<void> {
		try {
			await this.append(rows);
		} catch (error) {
			this.#warn(`${rows.length} rows of the ledger were lost: ${(error as Error).message}`);
		}
	}
}
