import type { PoolReading, PoolReadings } from "../store/pool-readings.ts";
import type { SpendLimit } from "../store/spend/spend-limit.ts";
import { type Span, spanAt } from "./windows.ts";

/** What Cursor last said of the own account. */
export interface ToldPlan {
	/** When it was read, in milliseconds since 1970, like every time here. */
	readAt: number;
	pools: readonly { name: "auto" | "api"; usedPercent: number | undefined; usedCents?: number }[];
	periodStart?: number;
	resetsAt?: number;
}

export interface PlanShareOptions {
	/** Asks Cursor. Rejects where that is not possible. */
	read(): Promise<ToldPlan>;
	readings: Pick<PoolReadings, "poolReadings">;
	/** Milliseconds since 1970. */
	now(): number;
}

const MINUTE = 60_000;
/** A refused client comes back that soon, so it has to meet an answer that is not the old failure. */
const FAILED_FRESH_MS = 4_000;
const DAY = 24 * 60 * MINUTE;
/** A billing period is a month. */
const LONGEST_PERIOD = 32 * DAY;

/**
 * How much of the plan is used, by Cursor's own figures. They are true, but late, and what other devices spend is in
 * them. The figures are asked for in the background; only the first turn that needs them waits.
 */
export class PlanShare {
	readonly #options: PlanShareOptions;
	#told: ToldPlan | undefined;
	#readings: readonly PoolReading[] = [];
	#asking: Promise<void> | undefined;
	#askedAt = Number.NEGATIVE_INFINITY;
	#hasFailed = false;

	constructor(options: PlanShareOptions) {
		this.#options = options;
	}

	/** As a gateway has read the figures; Cursor is not asked. */
	static ofReadings(readings: readonly PoolReading[], now: () => number): PlanShare {
		const share = new PlanShare({
			now,
			read: () => Promise.reject(new Error("only a gateway asks Cursor")),
			readings: { poolReadings: async () => [...readings] },
		});
		const newest = (["auto", "api"] as const).flatMap((pool) => readings.findLast((each) => each.pool === pool) ?? []);
		const valid = newest.filter(({ resetsAt }) => resetsAt === undefined || resetsAt > now());
		share.#readings = readings;
		if (valid.length > 0) {
			share.#told = {
				readAt: Math.max(...valid.map(({ at }) => at)),
				pools: valid.map(({ pool: name, usedPercent, usedCents }) => ({
					...{ name, usedPercent },
					...(usedCents !== undefined && { usedCents }),
				})),
			};
		}
		return share;
	}

	/** The billing period, as far as it is known. */
	get period(): Span | undefined {
		const { periodStart: start, resetsAt: end } = this.#told ?? {};
		if (start !== undefined && end !== undefined) return { start, end };
		const known = end ?? this.#readings.findLast(({ resetsAt }) => resetsAt !== undefined)?.resetsAt;
		return known === undefined ? undefined : { start: known - LONGEST_PERIOD, end: known };
	}

	get isKnown(): boolean {
		return this.#told !== undefined;
	}

	/** Asks again where the figures are older than a minute, or a failure is older than a moment. Never rejects. */
	refresh(): Promise<void> {
		const { now } = this.#options;
		const fresh = this.#hasFailed ? FAILED_FRESH_MS : MINUTE;
		if (Math.abs(now() - this.#askedAt) < fresh) return this.#asking ?? Promise.resolve();
		this.#askedAt = now();
		this.#asking = this.#ask().finally(() => {
			this.#asking = undefined;
		});
		return this.#asking;
	}

	/** What was used of a pool since the span of the limit began; undefined if Cursor has not said. */
	usedOf({ unit, pool, window }: SpendLimit): number | undefined {
		const told = this.#told?.pools.find(({ name }) => name === pool);
		const used = unit === "percent" ? told?.usedPercent : told?.usedCents;
		if (used === undefined || window === "period") return used;
		const { start } = spanAt(window, this.#options.now(), this.period);
		return Math.max(0, used - this.#before(pool, unit, start));
	}

	/** What was used when a span began, by the last reading before it; nothing, if the billing period is younger. */
	#before(pool: SpendLimit["pool"], unit: SpendLimit["unit"], start: number): number {
		const periodStart = this.period?.start ?? 0;
		const own = this.#readings.filter((reading) => reading.pool === pool && reading.at >= periodStart);
		if (periodStart >= start) return 0;
		// Where nothing was read before the span, the first reading in it comes closest.
		const reading = own.findLast(({ at }) => at <= start) ?? own[0];
		return (unit === "percent" ? reading?.usedPercent : reading?.usedCents) ?? 0;
	}

	async #ask(): Promise<void> {
		const { read, readings, now } = this.#options;
		try {
			const told = await read();
			this.#readings = await readings.poolReadings(now() - LONGEST_PERIOD);
			this.#told = told;
			this.#hasFailed = false;
		} catch {
			this.#hasFailed = true;
			// What was told before stays. A limit that nobody can tell anything of says so itself.
			if (this.#readings.length === 0) {
				this.#readings = await readings.poolReadings(now() - LONGEST_PERIOD).catch(() => []);
			}
		}
	}
}
