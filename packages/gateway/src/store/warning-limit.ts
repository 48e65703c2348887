import type { Clock } from "../time/clock.ts";

/** Timers may fire a little early, and a warning that repeats once per period should get through each time. */
const SLACK_MS = 50;

/** Lets one warning through per period: a broken disk must not flood the log. */
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
