const DAY = 86_400;
const FEWEST_DAYS = 7;

/**
 * From the first to the last of these days, in seconds, with half a day on both sides so that bars are whole. Few days
 * are shown as the end of a week.
 */
export function wholeDays(times: number[]): [number, number] {
	const last = times.at(-1) ?? 0;
	const first = Math.min(times[0] ?? 0, last - (FEWEST_DAYS - 1) * DAY);
	return [first - DAY / 2, last + DAY / 2];
}
