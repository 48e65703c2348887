import type { ByteBudget } from "../limits.ts";
import type { SqlDatabase } from "./database.ts";

/**
 * Removes entries of a shelf until it is within its budget: first the caller's own, then those of all callers.
 * `removeOldest` removes one entry, of the given caller or of all, and returns false when there is none left.
 */
export function keepWithin(
	database: SqlDatabase,
	shelf: string,
	caller: string,
	budget: ByteBudget,
	removeOldest: (caller: string | undefined) => boolean,
): void {
	const bytesOfCaller = () =>
		sumOf(database, "select bytes as sum from stored where caller = ? and shelf = ?", [caller, shelf]);
	while (bytesOfCaller() > budget.perCaller && removeOldest(caller));
	const bytesOfAll = () => sumOf(database, "select sum(bytes) as sum from stored where shelf = ?", [shelf]);
	while (bytesOfAll() > budget.total && removeOldest(undefined));
}

function sumOf(database: SqlDatabase, sql: string, values: string[]): number {
	return database.all<{ sum: number | null }>(sql, values)[0]?.sum ?? 0;
}
