import { statSync } from "node:fs";
import Database from "libsql";
import { StoreUnavailableError } from "../errors.ts";
import { explain, isDamage } from "./errors.ts";

export type SqlValue = string | number | null | Uint8Array;

type Statement = Database.Statement<SqlValue[][]>;

export interface SqlDatabaseOptions {
	/** Longest wait for another process; the whole gateway waits with it. */
	busyTimeoutMs: number;
	/** The file turned out to be damaged; this connection is closed by now. */
	onDamage: () => void;
}

/**
 * A connection to one file, with the driver's traps behind it (libsql 0.5, each one seen):
 *
 * - A boolean as a value aborts the process, NaN becomes NULL: values are checked.
 * - A statement used again by `get` after `all` keeps its old values, which would answer with another caller's row:
 *   statements are read by `all` alone.
 * - A write that finds the file locked stays "in progress" and blocks every later commit: writes happen in a
 *   transaction, which takes its lock first.
 * - Blobs come as `ArrayBuffer` or as `Buffer`, by method: here always as `Uint8Array`.
 * - A deleted file takes writes without an error: its name is checked before each.
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

	/** Runs a write and tells how many rows it changed. */
	run(sql: string, values: SqlValue[] = []): number {
		if (!this.#isWriting) throw new Error("a write needs a transaction");
		return this.#guarded(sql, () => this.#prepare(sql, values).run(values).changes);
	}

	/** Several statements without values, such as a schema. */
	exec(sql: string): void {
		this.#guarded(sql, () => this.#connection.exec(sql));
	}

	/** All of `work` or nothing of it, with the write lock from the start. */
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

	/** Whether the name of the file still leads to it. */
	isInPlace(): boolean {
		try {
			return identityOf(this.file) === this.#identity;
		} catch {
			return false;
		}
	}

	/** Leaves everything in the one file: the driver's own close would leave it in the journal until the next start. */
	close(): void {
		if (!this.#isOpen) return;
		try {
			this.#connection.pragma("wal_checkpoint(truncate)");
		} catch {
			// The journal is as good, and a disk that fails must not keep the gateway from ending.
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

	/** After some errors SQLite has rolled back by itself, and says so with another error. */
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
