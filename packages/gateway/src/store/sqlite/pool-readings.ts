import { isNews, type PoolReading } from "../pool-readings.ts";
import type { SqlDatabase } from "./database.ts";

const SELECT = `select at, pool, used_percent as usedPercent, used_cents as usedCents, limit_cents as limitCents,
	resets_at as resetsAt from pool_readings`;

/** What Cursor said of the pools. */
export class SqlitePoolReadings {
	readonly #database: SqlDatabase;

	constructor(database: SqlDatabase) {
		this.#database = database;
	}

	add(reading: PoolReading): void {
		this.#database.transaction(() => {
			const { at, pool, usedPercent, usedCents, limitCents, resetsAt } = reading;
			const [last] = this.#database.all<PoolReading>(`${SELECT} where pool = ? order by at desc, id desc limit 1`, [
				pool,
			]);
			if (!isNews(reading, last)) return;
			this.#database.run(
				`insert into pool_readings (at, pool, used_percent, used_cents, limit_cents, resets_at)
				values (?, ?, ?, ?, ?, ?)`,
				[at, pool, usedPercent, usedCents ?? null, limitCents ?? null, resetsAt ?? null],
			);
		});
	}

	since(time: number): PoolReading[] {
		const rows = this.#database.all<PoolReading>(`${SELECT} where at >= ? order by at, id`, [time]);
		return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as never);
	}

	removeBefore(time: number): void {
		this.#database.transaction(() => this.#database.run("delete from pool_readings where at < ?", [time]));
	}
}
