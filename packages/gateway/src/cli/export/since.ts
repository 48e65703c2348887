import { SettingError } from "../../config/settings.ts";

const UNITS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** When `--since` begins: so long ago (`7d`, `12h`, `2w`), or on a day or at a time in the time zone of this machine. */
export function sinceOf(text: string, now: number): number {
	const since = agoOf(text, now) ?? dateOf(text);
	if (since === undefined) {
		throw new SettingError(
			`--since: takes a date such as 2026-11-01, or how long ago such as 7d, 12h or 2w, not "${text}"`,
		);
	}
	if (since > now) throw new SettingError(`--since: ${text} is in the future`);
	return since;
}

function agoOf(text: string, now: number): number | undefined {
	const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
	return count === undefined ? undefined : now - Number(count) * UNITS[unit as keyof typeof UNITS];
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** Undefined for what is no date, such as the 31st of February. */
function dateOf(text: string): number | undefined {
	const [, year, month, day] = DATE.exec(text) ?? [];
	if (year === undefined) return undefined;
	const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
	// A day alone would be read as one of UTC.
	const at = Date.parse(text.includes("T") ? text : `${text}T00:00:00`);
	return isDay && !Number.isNaN(at) ? at : undefined;
}
