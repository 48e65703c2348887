import { statSync } from "node:fs";
import Database from "libsql";
import { StoreUnavailableError } from "../errors.ts";
import { explain, isDamage } from "./errors.ts";

export type SqlValue = string | number | null | Uint8Array;

type Statement = Database.Statement<SqlValue[][]>;

export interface SqlDatabaseOptions {
	/** Longest wait for another process; the whole gateway waits with it. */
	busyTimeoutMs: number;
	/** Called when the file turns out to be damaged; the connection is already closed then. */
	onDamage: () => void;
}

/**
 * A connection to one file that avoids these pitfalls of the driver (libsql 0.5, each one observed):
 *
 * - A boolean as a value aborts the process, NaN becomes NULL: values are checked.
 * - A statement used again by `get` after `all` keeps its old values and would return another caller's row: only
 *   `all` is used to read.
 * - A write that finds the file locked stays "in progress" and blocks every later commit: writes happen in a
 *   transaction, which takes its lock first.
 * - Blobs come as `ArrayBuffer` or as `Buffer`, depending on the method: here always as `Uint8Array`.
 * - A deleted file accepts writes without an error: its name is checked before each.
 */
export class SqlDatabase {
	readonly file: string;
	readonly #connection: Database.Database;
	readonly #options: SqlDatabaseOptions;
	readonly #identity: string;
	readonly #statements = new Map<string, Statement>();
	#isOpen = true;
	#isWriting = false;

	constructor(file: string, options: SqlDatabaseOptions) {
		this.file = file;
		this.#options = options;
		try {
			this.#connection = new Database(file, { timeout: options.busyTimeoutMs });
			this.#identity = identityOf(file);
		} catch (error) {
			throw explain(error);
		}
	}

	/** The rows of a query (or of a write with `returning`). */
	all<Row>(sql: string, values: SqlValue[] = []): Row[] {
		return this.#guarded(sql, () => {
			const rows = this.#prepare(sql, values).all(values) as Record<string, unknown>[];
			for (const row of rows) {
				for (const [name, value] of Object.entries(row)) {
					if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
				}
			}
			return rows as Row[];
		});
	}

	/** Runs a write and returns how many rows it changed. */
	run(sql: string, values: SqlValue[] = []): number {
		if (!this.#isWriting) throw new Error("a write needs a transaction");
		return this.#guarded(sql, () => this.#prepare(sql, values).run(values).changes);
	}

	/** Several statements without values, such as a schema. */
	exec(sql: string): void {
		this.#guarded(sql, () => this.#connection.exec(sql));
	}

	/** Does all of `work` or none of it, with the write lock from the start. */
	transaction<T>(work: () => T): T {
		this.#assertInPlace();
		this.exec("BEGIN IMMEDIATE");
		this.#isWriting = true;
		try {
			const result = work();
			this.exec("COMMIT");
			return result;
		} catch (error) {
			this.#rollBack();
			throw error;
		} finally {
			this.#isWriting = false;
		}
	}

	/** Several reads that see the same state of the file. */
	snapshot<T>(work: () => T): T {
		this.exec("BEGIN");
		try {
			return work();
		} finally {
			this.#rollBack();
		}
	}

	/** Whether the file still has its name. */
	isInPlace(): boolean {
		try {
			return identityOf(this.file) === this.#identity;
		} catch {
			return false;
		}
	}

	/** Moves everything into the one file: the driver's own close would leave it in the journal until the next start. */
	close(): void {
		if (!this.#isOpen) return;
		try {
			this.#connection.pragma("wal_checkpoint(truncate)");
		} catch {
			// The journal is just as good, and a failing disk must not keep the gateway from ending.
		}
		this.#end();
	}

	#prepare(sql: string, values: SqlValue[]): Statement {
		if (!values.every(isBindable)) throw new TypeError(`a value cannot be stored (${sql})`);
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#connection.prepare(sql) as Statement;
			this.#statements.set(sql, statement);
		}
		return statement;
	}

	#guarded<T>(sql: string, work: () => T): T {
		if (!this.#isOpen) throw new StoreUnavailableError("the file is closed");
		try {
			return work();
		} catch (error) {
			this.#statements.delete(sql);
			if (isDamage(error)) this.#damaged();
			throw explain(error);
		}
	}

	/** After some errors SQLite has already rolled back, and a rollback is another error. */
	#rollBack(): void {
		if (this.#isOpen && this.#connection.inTransaction) this.exec("ROLLBACK");
	}

	#assertInPlace(): void {
		if (!this.isInPlace()) throw new StoreUnavailableError("the file was deleted or replaced");
	}

	#end(): void {
		this.#isOpen = false;
		this.#statements.clear();
		this.#connection.close();
	}

	#damaged(): void {
		const inPlace = this.isInPlace();
		this.#end();
		if (inPlace) this.#options.onDamage();
	}
}

const isBindable = (value: unknown): boolean =>
	typeof value === "string" || value === null || value instanceof Uint8Array || Number.isFinite(value);

function identityOf(file: string): string {
	const { dev, ino } = statSync(file, { bigint: true });
	return `${dev}:${ino}`;
}
