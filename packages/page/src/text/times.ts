/** Points in time as the browser's language writes them. */

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const date = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const dayOnly = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const UNITS: [number, Intl.RelativeTimeFormatUnit][] = [
	[DAY, "day"],
	[HOUR, "hour"],
	[MINUTE, "minute"],
];

/** The page's clock may be so far behind: what seems to come within this time has just been. */
const CLOCK_BEHIND = 5 * SECOND;

/** "3 min. ago", "in 5 days". */
export function ago(at: number, now: number): string {
	const ahead = at - now;
	const distance = ahead > 0 && ahead < CLOCK_BEHIND ? 0 : ahead;
	for (const [length, unit] of UNITS) {
		if (Math.abs(distance) >= length) return relative.format(Math.round(distance / length), unit);
	}
	return relative.format(Math.round(distance / SECOND), "second");
}

export const fullTime = (at: number): string => full.format(at);
export const dateOf = (at: number): string => date.format(at);
export const timeOfDay = (at: number): string => hour.format(at);

/** A day of the ledger, such as 2026-11-16, in few characters. */
export const shortDay = (day: string): string => dayOnly.format(dayTime(day));

/** Noon of that day, here: no clock change moves it to another day. */
export const dayTime = (day: string): number => new Date(`${day}T12:00:00`).getTime();

/** Monday to Sunday, in few letters. */
export const WEEKDAYS: string[] = Array.from({ length: 7 }, (_, day) =>
	new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + day)),
);
