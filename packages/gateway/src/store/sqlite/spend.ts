import type { SpendLimit } from "../spend/spend-limit.ts";
import type { SpendChange, SpendTake, SpendTaken } from "../spend/spend-store.ts";
import type { SqlDatabase } from "./database.ts";

// One statement, so that nothing comes in between: it takes from all counters, unless one would become too large.
const TAKE = `
	with wanted as (
		select value ->> 'counter' as counter, value ->> 'amount' as amount, value ->> 'most' as most,
			value ->> 'since' as since, value ->> 'expiresAt' as expires_at
		from json_each(?)
	)
	insert into spend_counters (counter, used, since, expires_at)
	select counter, amount, since, expires_at from wanted
	where not exists (
		select 1 from wanted left join spend_counters using (counter)
		where wanted.most is not null and coalesce(spend_counters.used, 0) + wanted.amount > wanted.most
	)
	on conflict (counter) do update set
		used = used + excluded.used, expires_at = excluded.expires_at
	returning counter, used`;

const CHANGE = `
	insert into spend_counters (counter, used, since, expires_at) values (?1, max(0, ?2), ?3, ?4)
	on conflict (counter) do update set used = max(0, used + ?2), expires_at = ?4
	returning used`;

/** The owner's limits, and counters of what was spent. */
export class SqliteSpend {
	readonly #database: SqlDatabase;

	constructor(database: SqlDatabase) {
		this.#database = database;
	}

	list(): SpendLimit[] {
		const rows = this.#database.all<{ record: string }>("select record from spend_limits order by created_at, id");
		return rows.map(({ record }) => JSON.parse(record) as SpendLimit);
	}

	put(limit: SpendLimit): void {
		const sql = `insert into spend_limits (id, created_at, changed_at, record) values (?, ?, ?, ?)
			on conflict (id) do update set changed_at = excluded.changed_at, record = excluded.record
			where excluded.changed_at > changed_at`;
		const values = [limit.id, limit.createdAt, limit.changedAt, JSON.stringify(limit)];
		this.#database.transaction(() => this.#database.run(sql, values));
	}

	take(takes: readonly SpendTake[]): SpendTaken {
		const rows = this.#database.transaction(() => {
			return this.#database.all<{ counter: string; used: number }>(TAKE, [JSON.stringify(takes)]);
		});
		const names = takes.map(({ counter }) => counter);
		if (rows.length === 0) return { taken: false, used: this.read(names) };
		return { taken: true, used: inOrder(names, rows) };
	}

	change(changes: readonly SpendChange[]): number[] {
		return this.#database.transaction(() =>
			changes.map(({ counter, amount, since, expiresAt }) => {
				return this.#database.all<{ used: number }>(CHANGE, [counter, amount, since, expiresAt])[0]!.used;
			}),
		);
	}

	read(counters: readonly string[]): number[] {
		const sql = "select counter, used from spend_counters where counter in (select value from json_each(?))";
		return inOrder(counters, this.#database.all(sql, [JSON.stringify(counters)]));
	}

	/** Removes up to `most` counters that nobody counts any more, and returns how many there were. */
	removeExpired(now: number, most: number): number {
		const sql = `delete from spend_counters where counter in (
			select counter from spend_counters where expires_at <= ? order by expires_at limit ?)`;
		return this.#database.transaction(() => this.#database.run(sql, [now, most]));
	}
}

function inOrder(names: readonly string[], rows: readonly { counter: string; used: number }[]): number[] {
	const used = new Map(rows.map((row) => [row.counter, row.used]));
	return names.map((name) => used.get(name) ?? 0);
}
