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
