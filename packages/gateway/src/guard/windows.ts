import type { LimitWindow, SpendLimit } from "../store/spend/spend-limit.ts";

/** A stretch of time in which a limit counts, in milliseconds since 1970. */
export interface Span {
	start: number;
	/** Undefined: it never ends. */
	end?: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long counters are kept whose limit never begins anew. */
const CONVERSATION_KEPT_MS = 30 * DAY;
const KEPT_MS = 400 * DAY;

/**
 * The span around a moment. Days, weeks and months begin at local midnight, whatever a change to daylight saving time
 * makes of their length; a week begins on Monday. `period`: Cursor's billing period, without which months count.
 */
export function spanAt(window: LimitWindow, now: number, period?: Span): Span {
	const date = new Date(now);
	const midnight = (days: number) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
	switch (window) {
		case "minute":
			return steady(now, MINUTE);
		case "hour":
			return steady(now, HOUR, minutesOffHour(date) * MINUTE);
		case "day":
			return { start: midnight(0), end: midnight(1) };
		case "week": {
			const sinceMonday = (date.getDay() + 6) % 7;
			return { start: midnight(-sinceMonday), end: midnight(7 - sinceMonday) };
		}
		case "period":
			return period?.end !== undefined && now >= period.start && now < period.end ? period : monthAt(date);
		case "ever":
			return { start: 0 };
	}
}

/** Not every zone is away from UTC by whole hours, and one changes by half an hour: the offset of New Year counts. */
const minutesOffHour = (date: Date): number => new Date(date.getFullYear(), 0, 1).getTimezoneOffset() % 60;

function steady(now: number, length: number, offset = 0): Span {
	const start = Math.floor((now - offset) / length) * length + offset;
	return { start, end: start + length };
}

const monthAt = (date: Date): Span => ({
	start: new Date(date.getFullYear(), date.getMonth(), 1).getTime(),
	end: new Date(date.getFullYear(), date.getMonth() + 1, 1).getTime(),
});

/** The name of a counter. `subject`: the conversation that is counted by itself. */
export const counterName = (limit: SpendLimit, span: Span, subject = ""): string =>
	`${limit.id}:${span.start}:${subject}`;

/** When nobody looks at a counter any more. */
export function keptUntil({ end }: Span, now: number, subject: string | undefined): number {
	if (end !== undefined) return end + DAY;
	return now + (subject === undefined ? KEPT_MS : CONVERSATION_KEPT_MS);
}

/** A moment for a person, in local time: `2026-11-19 00:00`. */
export function localTime(at: number): string {
	const date = new Date(at);
	const two = (number: number) => String(number).padStart(2, "0");
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
