import type { Sliced } from "../../time/slices.ts";
import {
	type FoundRows,
	type LedgerNames,
	MOST_OF_CONVERSATION,
	type RowFilter,
	type StoredRow,
} from "../ledger-reads.ts";
import { namesOf } from "../row-filter.ts";
import type { SqlDatabase, SqlValue } from "./database.ts";
import type { SqliteLedger } from "./ledger.ts";

/** How many rows one statement looks at: a few milliseconds, in which nothing else is served. */
const ROWS_AT_ONCE = 10_000;

/** The condition of each part of a filter, with the place of its value. */
const CONDITIONS: Readonly<Record<Exclude<keyof RowFilter, "beforeId">, string>> = {
	since: "at >= ?",
	caller: "caller = ?",
	model: "model = ?",
	path: "path = ?",
	errorsOnly: "error_kind is not null",
	slowerThanMs: "latency_ms > ?",
};

interface IdRange {
	/** Exclusive. */
	after: number;
	upTo: number;
}

/** Looks through the ledger, a slice of it at a time. */
export class SqliteLedgerSearch {
	readonly #database: SqlDatabase;
	readonly #ledger: SqliteLedger;

	constructor(database: SqlDatabase, ledger: SqliteLedger) {
		this.#database = database;
		this.#ledger = ledger;
	}

	*find({ beforeId = Number.MAX_SAFE_INTEGER, ...filter }: RowFilter, limit: number): Sliced<FoundRows> {
		const { sql, values } = whereOf(filter);
		const rows: StoredRow[] = [];
		const isFiltered = sql !== "";
		let total = isFiltered ? 0 : this.#countAll();
		for (const range of this.#newestFirst(filter.since)) {
			if (!isFiltered && rows.length === limit) break;
			if (isFiltered) total += this.#count(sql, values, range);
			const { after, upTo } = range;
			const left = limit - rows.length;
			const older = [...values, after, Math.min(upTo, beforeId - 1), left];
			if (left > 0) rows.push(...this.#ledger.rows(`where ${sql} id > ? and id <= ? order by id desc limit ?`, older));
			yield;
		}
		return { rows, total };
	}

	*conversation(name: string): Sliced<StoredRow[]> {
		const rows: StoredRow[] = [];
		for (const { after, upTo } of this.#newestFirst()) {
			const left = MOST_OF_CONVERSATION - rows.length;
			if (left === 0) break;
			const where = "where conversation = ? and id > ? and id <= ? order by id desc limit ?";
			rows.push(...this.#ledger.rows(where, [name, after, upTo, left]));
			yield;
		}
		return rows.reverse();
	}

	*names(): Sliced<LedgerNames> {
		const callers = new Set<string>();
		const models = new Set<string>();
		for (const { after, upTo } of this.#newestFirst()) {
			const [names] = this.#database.all<{ callers: string; models: string }>(
				`select json_group_array(distinct caller) as callers, json_group_array(distinct model) as models
				from ledger where id > ? and id <= ?`,
				[after, upTo],
			);
			for (const caller of JSON.parse(names!.callers) as string[]) callers.add(caller);
			for (const model of JSON.parse(names!.models) as string[]) models.add(model);
			yield;
		}
		return namesOf(callers, models);
	}

	/** Without conditions SQLite counts the entries of an index, which is quick. */
	#countAll(): number {
		return this.#database.all<{ total: number }>("select count(*) as total from ledger")[0]!.total;
	}

	#count(sql: string, values: readonly SqlValue[], { after, upTo }: IdRange): number {
		const [counted] = this.#database.all<{ total: number }>(
			`select count(*) as total from ledger where ${sql} id > ? and id <= ?`,
			[...values, after, upTo],
		);
		return counted!.total;
	}

	/** The ids of all rows, or of those since a time, in slices. */
	#newestFirst(since?: number): IdRange[] {
		const [ends] = this.#database.all<{ first: number | null; last: number | null }>(
			`select min(id) as first, max(id) as last from ledger ${since === undefined ? "" : "where at >= ?"}`,
			since === undefined ? [] : [since],
		);
		const { first, last } = ends!;
		const ranges: IdRange[] = [];
		if (first === null || last === null) return ranges;
		for (let upTo = last; upTo >= first; upTo -= ROWS_AT_ONCE) ranges.push({ after: upTo - ROWS_AT_ONCE, upTo });
		return ranges;
	}
}

/** The conditions of a filter, each followed by `and`. */
function whereOf(filter: Omit<RowFilter, "beforeId">): { sql: string; values: SqlValue[] } {
	const parts = Object.entries(filter).filter(([, value]) => value !== undefined && value !== false);
	const sql = parts.map(([name]) => `${CONDITIONS[name as keyof typeof CONDITIONS]} and`).join(" ");
	const values = parts.flatMap(([name, value]) => (name === "errorsOnly" ? [] : [value as SqlValue]));
	return { sql, values };
}
