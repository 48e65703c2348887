import { randomUUID } from "node:crypto";
import { joinBytes } from "../../text/join-bytes.ts";
import type { Sliced } from "../../time/slices.ts";
import { type ByteBudget, sizeOfBytes } from "../limits.ts";
import { keepWithin } from "./budget.ts";
import type { SqlDatabase } from "./database.ts";

/** Longer payloads are kept in pieces of this size, written one by one: SQLite needs a while for a megabyte. */
export const PIECE_BYTES = 1 << 20;
/** Pieces that are incomplete after this time stay incomplete: the process that wrote them has ended. */
export const DRAFT_MS = 60 * 60 * 1000;

const NO_BYTES = new Uint8Array(0);

interface PayloadRow {
	payload: Uint8Array;
	/** The name of its pieces, if it has any; its own payload is then empty. */
	pieces: string | null;
}

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

	/** The old entry with this name stays until the new one is complete. */
	*put(caller: string, name: string, payload: Uint8Array, ttlMs: number): Sliced<void> {
		const size = sizeOfBytes(payload);
		if (size > Math.min(this.#budget.perCaller, this.#budget.total)) {
			this.#database.transaction(() => this.#remove(caller, name));
		} else if (payload.length > PIECE_BYTES) {
			yield* this.#putInPieces(caller, name, payload, ttlMs);
		} else {
			this.#database.transaction(() => {
				this.#remove(caller, name);
				this.#insert(caller, name, ttlMs, size, { payload, pieces: null });
			});
		}
	}

	*get(caller: string, name: string): Sliced<Uint8Array | undefined> {
		const [row] = this.#database.all<PayloadRow>(
			"select payload, pieces from payloads where shelf = ? and caller = ? and name = ? and expires_at > ?",
			[this.#shelf, caller, name, this.#now()],
		);
		return typeof row?.pieces === "string" ? yield* this.#readPieces(row.pieces) : row?.payload;
	}

	/** False if it did not exist or had expired. */
	delete(caller: string, name: string): boolean {
		return this.#database.transaction(() => {
			const expiresAt = this.#remove(caller, name);
			return expiresAt !== undefined && expiresAt > this.#now();
		});
	}

	/** Removes up to `most` expired entries of any shelf and returns how many there were. */
	static removeExpired(database: SqlDatabase, now: number, most: number): number {
		return database.transaction(() =>
			database.run(
				"delete from payloads where id in (select id from payloads where expires_at <= ? order by expires_at limit ?)",
				[now, most],
			),
		);
	}

	/** Writes pieces under a temporary name until all of them are there. A trigger removes pieces with their entry. */
	*#putInPieces(caller: string, name: string, payload: Uint8Array, ttlMs: number): Sliced<void> {
		const draft = randomUUID();
		const size = sizeOfBytes(payload);
		this.#database.transaction(() => this.#insert(caller, draft, DRAFT_MS, size, { payload: NO_BYTES, pieces: draft }));
		for (let number = 0; number * PIECE_BYTES < payload.length; number++) {
			yield;
			const piece = payload.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES);
			if (!this.#addPiece(caller, draft, number, piece)) return;
		}
		this.#database.transaction(() => {
			this.#remove(caller, name);
			this.#database.run("update payloads set name = ?, expires_at = ? where shelf = ? and caller = ? and name = ?", [
				...[name, this.#now() + ttlMs],
				...[this.#shelf, caller, draft],
			]);
		});
	}

	/** False if the entry was removed in the meantime to make room for others. */
	#addPiece(caller: string, draft: string, number: number, piece: Uint8Array): boolean {
		return this.#database.transaction(
			() =>
				this.#database.run(
					`insert into payload_pieces (payload, number, bytes) select ?, ?, ?
					where exists (select 1 from payloads where shelf = ? and caller = ? and name = ?)`,
					[draft, number, piece, this.#shelf, caller, draft],
				) > 0,
		);
	}

	/** Undefined if the entry is removed while it is read. */
	*#readPieces(pieces: string): Sliced<Uint8Array | undefined> {
		const numbers = this.#database.all<{ number: number }>(
			"select number from payload_pieces where payload = ? order by number",
			[pieces],
		);
		const read: Uint8Array[] = [];
		for (const { number } of numbers) {
			const [row] = this.#database.all<{ bytes: Uint8Array }>(
				"select bytes from payload_pieces where payload = ? and number = ?",
				[pieces, number],
			);
			if (!row) return undefined;
			read.push(row.bytes);
			yield;
		}
		return read.length === 0 ? undefined : yield* joinBytes(read);
	}

	#insert(caller: string, name: string, ttlMs: number, size: number, { payload, pieces }: PayloadRow): void {
		this.#database.run(
			"insert into payloads (shelf, caller, name, expires_at, size, payload, pieces) values (?, ?, ?, ?, ?, ?, ?)",
			[this.#shelf, caller, name, this.#now() + ttlMs, size, payload, pieces],
		);
		keepWithin(this.#database, this.#shelf, caller, this.#budget, (of) => this.#removeOldest(of));
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
