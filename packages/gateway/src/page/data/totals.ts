import type { TotalsAnswer } from "../contract.ts";
import type { PageDataParts } from "./parts.ts";
import { sumsOf } from "./plan.ts";
import { poolsOf, quotaOrLast } from "./pools.ts";

/** `GET /page/api/totals`, for the stopwatch: what was used since a moment, and the pools as they are now. */
export async function readTotals({ store, quota, now }: PageDataParts, since: number): Promise<TotalsAnswer> {
	const pools = poolsOf(await quotaOrLast(quota));
	const { all } = await store.sumsSince(since);
	return { ...sumsOf(all), pools, now: now() };
}
