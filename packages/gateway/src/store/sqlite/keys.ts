import type { KeyLimits, StoredKey } from "../store.ts";
import type { SqlDatabase } from "./database.ts";

interface KeyRow {
	id: string;
	name: string;
	hash: string;
	created_at: number;
	last_used_at: number | null;
	revoked_at: number | null;
	limits: string | null;
	kind: string | null;
	expires_at: number | null;
}

/** Gateway keys. Each change is as small as possible: another process may change the same key at the same time. */
export class SqliteKeys {
	readonly #database: SqlDatabase;

	constructor(database: SqlDatabase) {
		this.#database = database;
	}

	list(): StoredKey[] {
		return this.#database.all<KeyRow>("select * from keys order by created_at, id").map(toRecord);
	}

	add(record: StoredKey): void {
		this.#database.transaction(() =>
			this.#database.run(
				`insert into keys (id, name, hash, created_at, last_used_at, revoked_at, limits, kind, expires_at)
				values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
				[
					record.id,
					record.name,
					record.hash,
					record.createdAt,
					record.lastUsedAt ?? null,
					record.revokedAt ?? null,
					record.limits ? JSON.stringify(record.limits) : null,
					record.kind ?? null,
					record.expiresAt ?? null,
				],
			),
		);
	}

	revoke(id: string, at: number): boolean {
		const sql = "update keys set revoked_at = ? where id = ? and revoked_at is null";
		return this.#database.transaction(() => this.#database.run(sql, [at, id])) > 0;
	}

	touch(id: string, at: number): void {
		const sql = "update keys set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?";
		this.#database.transaction(() => this.#database.run(sql, [at, id]));
	}

	renew(id: string, expiresAt: number): boolean {
		const sql = `update keys set expires_at = max(expires_at, ?)
			where id = ? and expires_at is not null and revoked_at is null`;
		return this.#database.transaction(() => this.#database.run(sql, [expiresAt, id])) > 0;
	}

	forgetExpired(before: number): void {
		this.#database.transaction(() => this.#database.run("delete from keys where expires_at < ?", [before]));
	}
}

function toRecord(row: KeyRow): StoredKey {
	return {
		id: row.id,
		name: row.name,
		hash: row.hash,
		createdAt: row.created_at,
		...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
		...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
		...(row.limits !== null && { limits: JSON.parse(row.limits) as KeyLimits }),
		...(row.kind !== null && { kind: row.kind as NonNullable<StoredKey["kind"]> }),
		...(row.expires_at !== null && { expiresAt: row.expires_at }),
	};
}
