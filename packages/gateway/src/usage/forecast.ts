/** How much of a pool was used at a moment. */
export interface Reading {
	at: number;
	/** 0 to 100. */
	usedPercent: number;
}

export interface Forecast {
	/** When the pool is used up; absent if that is after the reset or cannot be told. */
	runsOutAt?: number;
	/** What will be used at the reset. */
	percentAtReset?: number;
}

const HOUR = 3_600_000;
/** The rate is that of the last days: long enough for a quiet night, short enough to notice a busy week. */
const RATE_OVER_MS = 3 * 24 * HOUR;
/** Less says nothing about a rate. */
const SHORTEST_MS = HOUR;
/** A pool that falls to less than half was reset. Smaller falls are corrections. */
const RESET_SHARE = 0.5;
/** Below this, a fall to less than half may be a correction, too. */
const RESET_PERCENT = 2;

/** The readings since the last reset, oldest first. */
export function sinceReset(readings: readonly Reading[], periodStart = Number.NEGATIVE_INFINITY): Reading[] {
	const ofPeriod = readings.filter(({ at }) => at >= periodStart);
	const first = ofPeriod.findLastIndex(({ usedPercent }, index) => {
		const before = ofPeriod[index - 1]?.usedPercent ?? 0;
		return before - usedPercent >= RESET_PERCENT && usedPercent < before * RESET_SHARE;
	});
	return ofPeriod.slice(Math.max(0, first));
}

/** What the readings of a period, oldest first, let expect until its end. */
export function forecast(
	readings: readonly Reading[],
	{ now, periodStart, resetsAt }: { now: number; periodStart?: number | undefined; resetsAt?: number | undefined },
): Forecast {
	const current = readings.at(-1);
	// Without a reset, any date could be later than it.
	if (!current || resetsAt === undefined || resetsAt <= now) return {};
	if (current.usedPercent >= 100) {
		return { runsOutAt: readings.find(({ usedPercent }) => usedPercent >= 100)!.at, percentAtReset: 100 };
	}
	const rate = rateOf(withStart(readings, periodStart), now);
	if (rate === undefined) return {};
	const atReset = current.usedPercent + rate * (resetsAt - now);
	if (atReset < 100) return { percentAtReset: atReset };
	return { runsOutAt: Math.round(now + (100 - current.usedPercent) / rate), percentAtReset: 100 };
}

/** A period begins with nothing used, whether anybody looked or not. */
function withStart(readings: readonly Reading[], periodStart: number | undefined): readonly Reading[] {
	if (periodStart === undefined || readings[0]!.at <= periodStart) return readings;
	return [{ at: periodStart, usedPercent: 0 }, ...readings];
}

/** Percent per millisecond over the last days; never below zero. Undefined: the readings are too close together. */
function rateOf(readings: readonly Reading[], now: number): number | undefined {
	const base = valueAt(readings, now - RATE_OVER_MS);
	const span = now - base.at;
	if (span < SHORTEST_MS) return undefined;
	return Math.max(0, readings.at(-1)!.usedPercent - base.usedPercent) / span;
}

/** What was used at a moment, on the straight line between two readings; the first reading if all are later. */
function valueAt(readings: readonly Reading[], at: number): Reading {
	const after = readings.findIndex((reading) => reading.at > at);
	if (after === 0) return readings[0]!;
	const before = readings.at(after === -1 ? -1 : after - 1)!;
	const next = readings[after];
	if (!next) return { at, usedPercent: before.usedPercent };
	const share = (at - before.at) / (next.at - before.at);
	return { at, usedPercent: before.usedPercent + share * (next.usedPercent - before.usedPercent) };
}
