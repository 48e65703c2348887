import type { PoolHistory } from "../../../gateway/src/page/contract.ts";
import { percent } from "../text/numbers.ts";
import { DAY, dateOf } from "../text/times.ts";

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

/** Will it last until the reset? */
export function forecastText({ usedPercent, runsOutAt, resetsAt, percentAtReset }: PoolHistory, now: number): string {
	if (usedPercent === undefined) return "Cursor has not said how much is used.";
	const used = percent(usedPercent);
	const reset = resetsAt === undefined ? "" : ` It resets on ${dateOf(resetsAt)}.`;
	if (runsOutAt !== undefined) {
		const early = resetsAt === undefined ? "" : `, ${days(resetsAt - runsOutAt)} before the reset`;
		return `${used} used. At this rate it runs out on ${dateOf(Math.max(now, runsOutAt))}${early}.${reset}`;
	}
	if (percentAtReset === undefined) return `${used} used.${reset}`;
	return `${used} used. It lasts: about ${percent(Math.round(percentAtReset))} will be used at the reset.${reset}`;
}

const dayCount = new Intl.NumberFormat(undefined, { style: "unit", unit: "day", unitDisplay: "long" });
const days = (ms: number): string => dayCount.format(Math.max(0, Math.round(ms / DAY)));
