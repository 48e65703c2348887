import { groupOf } from "../ledger-figures.ts";
import {
	type FoundRows,
	type LedgerGroup,
	type LedgerNames,
	MOST_OF_CONVERSATION,
	type RowFilter,
	type StoredRow,
} from "../ledger-reads.ts";
import type { LedgerRow } from "../ledger-row.ts";
import { mergeTotals, totalsOf } from "../ledger-totals.ts";
import { matches, namesOf } from "../row-filter.ts";
import type { LedgerTotals } from "../store.ts";

/** Above the ids of any other store: while memory replaces one, its rows are the newest. */
const FIRST_ID = 2 ** 40;

/** One row per request, the oldest first. */
export class MemoryLedger {
	readonly #most: number;
	#rows: StoredRow[] = [];
	#nextId = FIRST_ID;

	constructor(most: number) {
		this.#most = most;
	}

	get rows(): readonly StoredRow[] {
		return this.#rows;
	}

	append(rows: readonly LedgerRow[]): void {
		for (const row of rows) this.#rows.push({ ...asKept(row), id: this.#nextId++ });
		const surplus = this.#rows.length - this.#most;
		if (surplus > 0) this.drop(surplus);
	}

	usageSince(since: number): LedgerTotals[] {
		return mergeTotals(this.#since(since).map(totalsOf));
	}

	find(filter: RowFilter, limit: number): FoundRows {
		const { beforeId = Number.POSITIVE_INFINITY } = filter;
		const matching = this.#rows.filter((row) => matches(row, filter));
		const older = matching.filter(({ id }) => id < beforeId);
		return { rows: older.slice(Math.max(0, older.length - limit)).reverse(), total: matching.length };
	}

	row(wanted: number): StoredRow | undefined {
		return this.#rows.find(({ id }) => id === wanted);
	}

	conversation(name: string): StoredRow[] {
		return this.#rows.filter(({ conversation }) => conversation === name).slice(-MOST_OF_CONVERSATION);
	}

	names(): LedgerNames {
		return namesOf(
			this.#rows.map(({ caller }) => caller),
			this.#rows.map(({ model }) => model),
		);
	}

	groups(since: number): LedgerGroup[] {
		return this.#since(since).map(groupOf);
	}

	/** Forgets the oldest rows. */
	drop(count: number): void {
		this.#rows = this.#rows.slice(count);
	}

	removeBefore(time: number): void {
		this.#rows = this.#rows.filter(({ at }) => at >= time);
	}

	#since(time: number): StoredRow[] {
		return this.#rows.filter(({ at }) => at >= time);
	}
}

/** As other stores give it back: without the fields that are undefined. */
const asKept = (row: LedgerRow): LedgerRow => JSON.parse(JSON.stringify(row));
