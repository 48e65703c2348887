import { type ByteBudget, sizeOfBytes } from "../limits.ts";
import { keepWithin } from "./budget.ts";
import type { SqlDatabase } from "./database.ts";

/** Byte strings by caller and name, each with its own time to live. Several shelves share one table. */
export class SqlitePayloads {
	readonly #database: SqlDatabase;
	readonly #shelf: string;
	readonly #budget: ByteBudget;
	readonly #now: () => number;

	constructor(database: SqlDatabase, shelf: string, budget: ByteBudget, now: () => number) {
		this.#database = database;
		this.#shelf = shelf;
		this.#budget = budget;
		this.#now = now;
	}

	put(caller: string, name: string, payload: Uint8Array, ttlMs: number): void {
		const size = sizeOfBytes(payload);
		this.#database.transaction(() => {
			this.#remove(caller, name);
			if (size > Math.min(this.#budget.perCaller, this.#budget.total)) return;
			this.#database.run(
				"insert into payloads (shelf, caller, name, expires_at, size, payload) values (?, ?, ?, ?, ?, ?)",
				[this.#shelf, caller, name, this.#now() + ttlMs, size, payload],
			);
			keepWithin(this.#database, this.#shelf, caller, this.#budget, (of) => this.#removeOldest(of));
		});
	}

	get(caller: string, name: string): Uint8Array | undefined {
		const [row] = this.#database.all<{ payload: Uint8Array }>(
			"select payload from payloads where shelf = ? and caller = ? and name = ? and expires_at > ?",
			[this.#shelf, caller, name, this.#now()],
		);
		return row?.payload;
	}

	/** False where it did not exist or had expired. */
	delete(caller: string, name: string): boolean {
		return this.#database.transaction(() => {
			const expiresAt = this.#remove(caller, name);
			return expiresAt !== undefined && expiresAt > this.#now();
		});
	}

	/** Removes up to `most` expired entries of any shelf and tells how many there were. */
	static removeExpired(database: SqlDatabase, now: number, most: number): number {
		return database.transaction(() =>
			database.run(
				"delete from payloads where id in (select id from payloads where expires_at <= ? order by expires_at limit ?)",
				[now, most],
			),
		);
	}

	#remove(caller: string, name: string): number | undefined {
		const [row] = this.#database.all<{ expires_at: number }>(
			"delete from payloads where shelf = ? and caller = ? and name = ? returning expires_at",
			[this.#shelf, caller, name],
		);
		return row?.expires_at;
	}

	#removeOldest(caller: string | undefined): boolean {
		const oldest = "delete from payloads where id = (select min(id) from payloads where shelf = ?";
		return caller === undefined
			? this.#database.run(`${oldest})`, [this.#shelf]) > 0
			: this.#database.run(`${oldest} and caller = ?)`, [this.#shelf, caller]) > 0;
	}
}
