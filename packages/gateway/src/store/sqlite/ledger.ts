import type { StoredRow } from "../ledger-reads.ts";
import type { LedgerRow } from "../ledger-row.ts";
import type { LedgerTotals } from "../store.ts";
import type { SqlDatabase, SqlValue } from "./database.ts";

/** Columns in the order of the table, with the field each one holds. */
const COLUMNS = {
	at: "at",
	caller: "caller",
	dialect: "dialect",
	model: "model",
	path: "path",
	input_tokens: "inputTokens",
	output_tokens: "outputTokens",
	cached_tokens: "cachedTokens",
	reasoning_tokens: "reasoningTokens",
	latency_ms: "latencyMs",
	first_token_ms: "firstTokenMs",
	status: "status",
	error_kind: "errorKind",
	conversation: "conversation",
	answered: "answered",
	gateway_us: "gatewayUs",
} as const satisfies Record<string, keyof LedgerRow>;

const FIELDS = Object.values(COLUMNS);
/** The other fields of a row. */
type Details = Omit<LedgerRow, (typeof FIELDS)[number]>;
const PLACES = `(${FIELDS.map(() => "?").join(", ")}, ?)`;
/** A statement for so many rows. */
const insertOf = (rows: number) =>
	`insert into ledger (${Object.keys(COLUMNS).join(", ")}, details) values ${new Array(rows).fill(PLACES).join(", ")}`;
/** One statement costs much more than one row of it. */
const AT_ONCE = 32;
const INSERT_MANY = insertOf(AT_ONCE);
const INSERT = insertOf(1);
const SELECT = `select id, details, ${Object.entries(COLUMNS)
	.map(([column, field]) => `${column} as ${field}`)
	.join(", ")} from ledger`;

/** One row per request. */
export class SqliteLedger {
	readonly #database: SqlDatabase;

	constructor(database: SqlDatabase) {
		this.#database = database;
	}

	append(rows: readonly LedgerRow[]): void {
		this.#database.transaction(() => {
			const many = rows.length - (rows.length % AT_ONCE);
			for (let first = 0; first < many; first += AT_ONCE) {
				this.#database.run(INSERT_MANY, valuesOf(rows, first, first + AT_ONCE));
			}
			for (let index = many; index < rows.length; index++) this.#database.run(INSERT, valuesOf(rows, index, index + 1));
		});
	}

	usageSince(since: number): LedgerTotals[] {
		return this.#database.all<LedgerTotals>(
			`select strftime('%Y-%m-%d', at / 1000, 'unixepoch') as day, caller, model, count(*) as requests,
				count(error_kind) as failures, sum(input_tokens) as inputTokens, sum(output_tokens) as outputTokens,
				sum(cached_tokens) as cachedTokens, sum(reasoning_tokens) as reasoningTokens
			from ledger where at >= ? group by day, caller, model order by day, caller, model`,
			[since],
		);
	}

	last(count: number): StoredRow[] {
		return this.rows("order by id desc limit ?", [count]);
	}

	row(id: number): StoredRow | undefined {
		return this.rows("where id = ?", [id])[0];
	}

	/** The rows that the rest of a statement selects. */
	rows(sql: string, values: SqlValue[]): StoredRow[] {
		return this.#database.all<Record<string, unknown>>(`${SELECT} ${sql}`, values).map(toRow);
	}

	/** Removes up to `most` rows that are too old or too many, and returns how many there were. */
	removeSurplus(before: number, keep: number, most: number): number {
		return this.#database.transaction(() => {
			const old = "delete from ledger where id in (select id from ledger where at < ? order by at limit ?)";
			const surplus = `delete from ledger where id in (
				select id from ledger where id <= (select max(id) from ledger) - ? order by id limit ?)`;
			return this.#database.run(old, [before, most]) + this.#database.run(surplus, [keep, most]);
		});
	}
}

function valuesOf(rows: readonly LedgerRow[], start: number, end: number): SqlValue[] {
	const values: SqlValue[] = [];
	for (let index = start; index < end; index++) {
		const row = rows[index]!;
		for (const field of FIELDS) values.push(row[field] ?? null);
		values.push(detailsOf(row));
	}
	return values;
}

/** JSON leaves out what is undefined. */
function detailsOf(row: LedgerRow): string {
	const details: Record<keyof Details, unknown> = {
		pool: row.pool,
		reason: row.reason,
		runId: row.runId,
		requestId: row.requestId,
		client: row.client,
		tools: row.tools,
		warnings: row.warnings,
		sentMs: row.sentMs,
		firstThinkingMs: row.firstThinkingMs,
		firstTextMs: row.firstTextMs,
		firstCallMs: row.firstCallMs,
		waitedMs: row.waitedMs,
		systemTokens: row.systemTokens,
		toolTokens: row.toolTokens,
		historyTokens: row.historyTokens,
		resultTokens: row.resultTokens,
		imageTokens: row.imageTokens,
		messageTokens: row.messageTokens,
		webSearches: row.webSearches,
	};
	return JSON.stringify(details);
}

function toRow({ details, ...columns }: Record<string, unknown>): StoredRow {
	const row = details === null ? {} : (JSON.parse(details as string) as Record<string, unknown>);
	for (const [field, value] of Object.entries(columns)) if (value !== null) row[field] = value;
	return row as unknown as StoredRow;
}
