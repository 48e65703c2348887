import type { Clock } from "../time/clock.ts";

/** Timers may fire a little early, and what repeats once in a period shall be heard each time. */
const SLACK_MS = 50;

/** Lets one warning through in each period: a broken disk must not fill the log with itself. */
export function limitWarnings(
	warn: (message: string) => void,
	clock: Clock,
	periodMs: number,
): (message: string) => void {
	let lastAt = Number.NEGATIVE_INFINITY;
	return (message) => {
		if (clock.now() - lastAt < periodMs - SLACK_MS) return;
		lastAt = clock.now();
		warn(message);
	};
}
