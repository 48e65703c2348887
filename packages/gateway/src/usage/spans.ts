import type { KnownQuota } from "./quota-watch.ts";

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const PERIOD_DAYS = 30;

/** The stretches of time that are summed up, as the times at which they begin. */
export interface Spans {
	/** Since midnight, in the time zone of the gateway. */
	today: number;
	/** The last seven days. */
	week: number;
	/** The billing period, or about the length of one where nobody knows when it began. */
	period: number;
}

export function spansAt(now: number, quota?: Pick<KnownQuota, "periodStart" | "resetsAt">): Spans {
	return { today: midnightOf(now), week: now - WEEK_DAYS * DAY_MS, period: periodStart(now, quota) };
}

export const midnightOf = (now: number): number => new Date(now).setHours(0, 0, 0, 0);

function periodStart(now: number, quota: Pick<KnownQuota, "periodStart" | "resetsAt"> = {}): number {
	const known = quota.periodStart ?? (quota.resetsAt === undefined ? undefined : aMonthBefore(quota.resetsAt));
	return known !== undefined && known <= now ? known : now - PERIOD_DAYS * DAY_MS;
}

/** The same day of the month before, or the last one where that month is shorter. */
function aMonthBefore(at: number): number {
	const date = new Date(at);
	const day = date.getUTCDate();
	date.setUTCMonth(date.getUTCMonth() - 1);
	if (date.getUTCDate() !== day) date.setUTCDate(0);
	return date.getTime();
}

/** The last days in the time zone of the gateway, oldest first, as 2026-11-15. */
export function lastDays(now: number, count: number): string[] {
	const today = new Date(now);
	return Array.from({ length: count }, (_, index) => {
		const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1 - index));
		return dayName(day);
	});
}

/** When the first of the last days began. */
export function daysBegin(now: number, count: number): number {
	const today = new Date(now);
	return new Date(today.getFullYear(), today.getMonth(), today.getDate() - (count - 1)).getTime();
}

const dayName = (day: Date): string =>
	[day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
