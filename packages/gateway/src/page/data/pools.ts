import type { PoolReading } from "../../store/pool-readings.ts";
import { forecast, type Reading, sinceReset } from "../../usage/forecast.ts";
import type { KnownQuota, QuotaWatch } from "../../usage/quota-watch.ts";
import type { Pool, PoolHistory } from "../contract.ts";

const MOST_READINGS = 400;
const POOLS = ["auto", "api"] as const;

/** The quota as it is now; where Cursor cannot be asked, as it was read last. */
export async function quotaOrLast(quota: Pick<QuotaWatch, "read" | "last">): Promise<KnownQuota | undefined> {
	try {
		return await quota.read();
	} catch {
		return quota.last;
	}
}

export function poolsOf(quota: KnownQuota | undefined): Pool[] {
	const { pools = [], resetsAt } = quota ?? {};
	return pools.map(({ name, usedPercent, usedCents, limitCents }) => ({
		name,
		...(usedPercent !== undefined && { usedPercent }),
		...(usedCents !== undefined && { usedCents }),
		...(limitCents !== undefined && { limitCents }),
		...(resetsAt !== undefined && { resetsAt }),
	}));
}

/** Each pool as it emptied since the period began, and how that may go on. */
export function poolHistories(
	quota: KnownQuota | undefined,
	readings: readonly PoolReading[],
	now: number,
): PoolHistory[] {
	const current = poolsOf(quota);
	return POOLS.flatMap((name) => {
		const ofPool = readings.filter(({ pool }) => pool === name);
		const pool = current.find((other) => other.name === name) ?? lastKnown(ofPool);
		return pool ? [historyOf(pool, ofPool, quota, now)] : [];
	});
}

function historyOf(pool: Pool, kept: readonly PoolReading[], quota: KnownQuota | undefined, now: number): PoolHistory {
	const { periodStart, readAt } = quota ?? {};
	const readings: Reading[] = kept.map(({ at, usedPercent }) => ({ at, usedPercent }));
	// A reading that says nearly the same as the one before is not kept, but it says that nothing was used since.
	const last = readings.at(-1);
	if (readAt !== undefined && pool.usedPercent !== undefined && (last === undefined || last.at < readAt)) {
		readings.push({ at: readAt, usedPercent: pool.usedPercent });
	}
	const ofPeriod = sinceReset(readings, periodStart);
	return {
		...pool,
		...(periodStart !== undefined && { periodStart }),
		readings: thinned(ofPeriod),
		...forecast(ofPeriod, { now, periodStart, resetsAt: pool.resetsAt }),
	};
}

/** What an earlier start of the gateway read. */
function lastKnown(readings: readonly PoolReading[]): Pool | undefined {
	const last = readings.at(-1);
	if (!last) return undefined;
	const { pool: name, at: _, ...known } = last;
	return { name, ...known };
}

/** At most as many readings as a plot can show, the first and the last among them. */
function thinned(readings: readonly Reading[]): Reading[] {
	if (readings.length <= MOST_READINGS) return [...readings];
	const step = (readings.length - 1) / (MOST_READINGS - 1);
	return Array.from({ length: MOST_READINGS }, (_, index) => readings[Math.round(index * step)]!);
}
