import { type StoreLimits, sizeOfBytes, sizeOfState } from "../limits.ts";
import type { FoundCheckpoint, StoredCheckpoint } from "../store.ts";
import { keepWithin } from "./budget.ts";
import type { SqlDatabase } from "./database.ts";

interface CheckpointRow {
	id: number;
	conversation_id: string;
	last_used_at: number;
	blob_count: number;
	state: Uint8Array;
}

const SHELF = "checkpoints";
// `cross` fixes the order: otherwise SQLite walks through the list once for each blob of the caller.
const WANTED_BLOBS = "json_each(?) wanted cross join blobs b on b.caller = ? and b.hash = unhex(wanted.value)";

/** Checkpoints and their blobs, each blob once per caller. A blob lives as long as a checkpoint refers to it. */
export class SqliteCheckpoints {
	readonly #database: SqlDatabase;
	readonly #limits: StoreLimits;
	readonly #now: () => number;
	/** Uses that are not written yet, so that finding a checkpoint needs no write and works on a full disk too. */
	readonly #uses = new Map<number, number>();

	constructor(database: SqlDatabase, limits: StoreLimits, now: () => number) {
		this.#database = database;
		this.#limits = limits;
		this.#now = now;
	}

	put(record: StoredCheckpoint, given: ReadonlyMap<string, Uint8Array>): boolean {
		const budget = this.#limits.checkpoints;
		const hashes = [...new Set(record.blobIds.map((id) => Buffer.from(id).toString("hex")))];
		return this.#database.transaction(() => {
			const stored = this.#storedSizes(record.caller, hashes);
			const missing = hashes.filter((hash) => !stored.has(hash));
			if (missing.some((hash) => !given.has(hash))) return false;
			const added = missing.map((hash) => [hash, given.get(hash)!] as const);
			const ownSize = sizeOfState(record.state, hashes.length);
			const size = ownSize + sum([...stored.values()]) + sum(added.map(([, data]) => sizeOfBytes(data)));
			if (size > Math.min(budget.perCaller, budget.total)) return false;

			this.#writeUses();
			const formerBlobs = this.#unlink(this.#idOf(record.caller, record.key));
			for (const [hash, data] of added) this.#addBlob(record.caller, hash, data);
			this.#add(record, hashes, ownSize);
			this.#removeUnreached(formerBlobs);
			keepWithin(this.#database, SHELF, record.caller, budget, (of) => this.#removeLeastUsed(of));
			return true;
		});
	}

	find(caller: string, key: string): FoundCheckpoint | undefined {
		const found = this.#database.snapshot(() => this.#read(caller, key));
		if (!found) return undefined;
		this.#uses.set(found.row.id, this.#now());
		const { conversation_id: conversationId, state } = found.row;
		return { conversationId, state, blobs: found.blobs };
	}

	/** Writes which checkpoints were used; without it they only look older than they are. */
	flush(): void {
		if (this.#uses.size > 0) this.#database.transaction(() => this.#writeUses());
	}

	/** Removes up to `most` expired checkpoints and returns how many there were. */
	removeExpired(most: number): number {
		return this.#database.transaction(() => {
			this.#writeUses();
			const expired = this.#database.all<{ id: number }>(
				"select id from checkpoints where last_used_at <= ? order by last_used_at limit ?",
				[this.#now() - this.#limits.checkpointTtlMs, most],
			);
			for (const { id } of expired) this.#remove(id);
			return expired.length;
		});
	}

	#read(caller: string, key: string): { row: CheckpointRow; blobs: Map<string, Uint8Array> } | undefined {
		const [row] = this.#database.all<CheckpointRow>(
			"select id, conversation_id, last_used_at, blob_count, state from checkpoints where caller = ? and key = ?",
			[caller, key],
		);
		if (!row) return undefined;
		const lastUsedAt = Math.max(row.last_used_at, this.#uses.get(row.id) ?? 0);
		if (lastUsedAt + this.#limits.checkpointTtlMs <= this.#now()) return undefined;
		const rows = this.#database.all<{ hash: string; data: Uint8Array }>(
			`select lower(hex(b.hash)) as hash, b.data as data from reach r join blobs b on b.id = r.blob
			where r.checkpoint = ? and b.caller = ?`,
			[row.id, caller],
		);
		if (rows.length !== row.blob_count) return undefined;
		return { row, blobs: new Map(rows.map(({ hash, data }) => [hash, data])) };
	}

	/** Which of the blobs are there, and how large they are. */
	#storedSizes(caller: string, hashes: string[]): Map<string, number> {
		const rows = this.#database.all<{ hash: string; size: number }>(
			`select wanted.value as hash, b.size as size from ${WANTED_BLOBS}`,
			[JSON.stringify(hashes), caller],
		);
		return new Map(rows.map(({ hash, size }) => [hash, size]));
	}

	#addBlob(caller: string, hash: string, data: Uint8Array): void {
		this.#database.run("insert into blobs (caller, hash, size, data) values (?, unhex(?), ?, ?)", [
			caller,
			hash,
			sizeOfBytes(data),
			data,
		]);
	}

	#add(record: StoredCheckpoint, hashes: string[], size: number): void {
		const now = this.#now();
		this.#database.run(
			`insert into checkpoints (caller, key, conversation_id, created_at, last_used_at, blob_count, size, state)
			values (?, ?, ?, ?, ?, ?, ?, ?)`,
			[record.caller, record.key, record.conversationId, now, now, hashes.length, size, record.state],
		);
		this.#database.run(`insert into reach (checkpoint, blob) select ?, b.id from ${WANTED_BLOBS}`, [
			this.#idOf(record.caller, record.key)!,
			JSON.stringify(hashes),
			record.caller,
		]);
	}

	#idOf(caller: string, key: string): number | undefined {
		const sql = "select id from checkpoints where caller = ? and key = ?";
		return this.#database.all<{ id: number }>(sql, [caller, key])[0]?.id;
	}

	#removeLeastUsed(caller: string | undefined): boolean {
		const order = "order by last_used_at, id limit 1";
		const [row] =
			caller === undefined
				? this.#database.all<{ id: number }>(`select id from checkpoints ${order}`)
				: this.#database.all<{ id: number }>(`select id from checkpoints where caller = ? ${order}`, [caller]);
		if (row) this.#remove(row.id);
		return row !== undefined;
	}

	#remove(id: number): void {
		this.#removeUnreached(this.#unlink(id));
	}

	/** Removes the checkpoint and returns the blobs that it referred to. */
	#unlink(id: number | undefined): number[] {
		if (id === undefined) return [];
		this.#uses.delete(id);
		this.#database.run("delete from checkpoints where id = ?", [id]);
		const rows = this.#database.all<{ blob: number }>("delete from reach where checkpoint = ? returning blob", [id]);
		return rows.map(({ blob }) => blob);
	}

	#removeUnreached(blobs: number[]): void {
		this.#database.run(
			`delete from blobs where id in (select value from json_each(?))
			and not exists (select 1 from reach where blob = blobs.id)`,
			[JSON.stringify(blobs)],
		);
	}

	#writeUses(): void {
		for (const [id, at] of this.#uses) {
			this.#database.run("update checkpoints set last_used_at = max(last_used_at, ?) where id = ?", [at, id]);
		}
		this.#uses.clear();
	}
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
