/** What Cursor said of one pool of included usage at one time. */
export interface PoolReading {
	at: number;
	pool: "auto" | "api";
	/** 0 to 100. */
	usedPercent: number;
	usedCents?: number;
	limitCents?: number;
	resetsAt?: number;
}

/** How full the pools were, over time. */
export interface PoolReadings {
	/** Keeps it, unless one of the last ten minutes says nearly the same. */
	addPoolReading(reading: PoolReading): Promise<void>;
	/** Oldest first. */
	poolReadings(since: number): Promise<PoolReading[]>;
}

/** A reading that differs by less than this from one that is younger than this is not kept. */
export const SAME_FOR_MS = 10 * 60_000;
export const SAME_PERCENT = 1;
export const READINGS_KEPT_MS = 100 * 24 * 60 * 60_000;

/** Whether a reading says something new, given the last one of the same pool. */
export function isNews(reading: PoolReading, last: Pick<PoolReading, "at" | "usedPercent"> | undefined): boolean {
	if (!last || reading.at - last.at >= SAME_FOR_MS) return true;
	return Math.abs(reading.usedPercent - last.usedPercent) >= SAME_PERCENT;
}
