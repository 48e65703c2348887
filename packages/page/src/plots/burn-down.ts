import type { PoolHistory } from "../../../gateway/src/page/contract.ts";
import { DAY } from "../text/times.ts";

export interface BurnDown {
	from: number;
	to: number;
	/** When it was read, and what was left then, in percent. */
	points: { at: number; left: number }[];
	/** The straight line on from the last point: to nothing left, or to the reset. */
	forecast: { at: number; left: number }[];
}

/** Without a period, as much as a month may still come. */
const UNKNOWN_PERIOD = 30 * DAY;

export function burnDown(pool: PoolHistory, now: number): BurnDown {
	const points = pool.readings.map(({ at, usedPercent }) => ({ at, left: Math.max(0, 100 - usedPercent) }));
	const from = pool.periodStart ?? points[0]?.at ?? now;
	const to = pool.resetsAt ?? from + UNKNOWN_PERIOD;
	const last = points.at(-1);
	const end = last === undefined ? undefined : endOf(pool, to);
	return { from, to, points, forecast: last === undefined || end === undefined ? [] : [last, end] };
}

function endOf({ runsOutAt, percentAtReset }: PoolHistory, reset: number): { at: number; left: number } | undefined {
	if (runsOutAt !== undefined) return { at: runsOutAt, left: 0 };
	if (percentAtReset !== undefined) return { at: reset, left: Math.max(0, 100 - percentAtReset) };
}
