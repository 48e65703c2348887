import type { PoolReading, PoolReadings } from "../store/pool-readings.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import type { AccountQuota, QuotaPool } from "../upstream/account/quota.ts";

/** What Cursor said about the quota of the own account. */
export interface KnownQuota {
	/** When it was read, in milliseconds since 1970, like every time here. */
	readAt: number;
	plan?: string;
	email?: string;
	pools: readonly QuotaPool[];
	periodStart?: number;
	resetsAt?: number;
	/** Models that are charged to the `auto` pool. */
	autoModels: readonly string[];
}

export interface QuotaWatchOptions {
	/** Asks Cursor. Rejects where that is not possible, such as without a login. `poolsOnly`: plan and address may lack. */
	ask(poolsOnly: boolean): Promise<AccountQuota>;
	/** Where readings of the pools are kept. */
	readings: Pick<PoolReadings, "addPoolReading">;
	warn(what: string, error: unknown): void;
	/** Milliseconds since 1970. */
	now?: () => number;
	clock?: Clock;
}

const FRESH_MS = 60_000;
/** A failure is remembered, too, so that a status line does not ask every second while Cursor is away. */
const FAILED_FRESH_MS = 10_000;
/** Nobody who wants to see the quota waits longer. What comes later is there for the next one. */
const LONGEST_WAIT_MS = 3_000;
/** While turns run. */
const OWN_READS_EVERY_MS = 30 * 60_000;
/** A gateway that has just started has better things to do. */
const FIRST_OWN_READ_MS = 60_000;

/** The last time that Cursor was asked. */
interface Asked {
	at: number;
	poolsOnly: boolean;
	quota: Promise<KnownQuota>;
	failed: boolean;
}

/** Reads the quota of the own account, for all who want to know it, and keeps what it read of the pools. */
export class QuotaWatch {
	readonly #options: QuotaWatchOptions;
	readonly #now: () => number;
	#asked: Asked | undefined;
	#last: KnownQuota | undefined;
	#nextOwnReadAt: number;

	constructor(options: QuotaWatchOptions) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
		this.#nextOwnReadAt = this.#now() + FIRST_OWN_READ_MS;
	}

	/** What was read last, however long ago. Asks nobody. */
	get last(): KnownQuota | undefined {
		return this.#last;
	}

	/**
	 * The quota, at most a minute old and read after the moment that is named, if one is. Rejects where Cursor cannot be
	 * asked or takes too long.
	 */
	async read(after?: number): Promise<KnownQuota> {
		const quota = this.#ask(false, after);
		let cancel = () => {};
		const tooLong = new Promise<never>((_, reject) => {
			cancel = (this.#options.clock ?? systemClock).after(LONGEST_WAIT_MS, () =>
				reject(new Error("Cursor takes too long to say how much is used.")),
			);
		});
		try {
			return await Promise.race([quota, tooLong]);
		} finally {
			cancel();
		}
	}

	/** A turn on the own account has ended: now and then that is a reason to read the pools. Never waits. */
	turnEnded(): void {
		if (this.#now() < this.#nextOwnReadAt) return;
		this.#ask(true).catch(() => {
			// The turn said what is wrong, if anything is.
		});
	}

	#ask(poolsOnly: boolean, after = 0): Promise<KnownQuota> {
		const now = this.#now();
		const known = this.#asked;
		if (known && known.at >= after && isFresh(known, now) && (poolsOnly || !known.poolsOnly)) return known.quota;
		this.#nextOwnReadAt = now + OWN_READS_EVERY_MS;
		const asked = { at: now, poolsOnly, quota: this.#askNow(poolsOnly, now), failed: false };
		this.#asked = asked;
		asked.quota.catch(() => {
			asked.failed = true;
		});
		return asked.quota;
	}

	async #askNow(poolsOnly: boolean, readAt: number): Promise<KnownQuota> {
		const told = await this.#options.ask(poolsOnly);
		const quota = { ...this.#named(), ...knownQuota(told, readAt) };
		this.#last = quota;
		for (const reading of readingsOf(told, readAt)) {
			this.#options.readings.addPoolReading(reading).catch((error) => {
				this.#options.warn("how much of the pools is used could not be kept", error);
			});
		}
		return quota;
	}

	/** Plan and address, as far as they were read before. */
	#named(): Pick<KnownQuota, "plan" | "email"> {
		const { plan, email } = this.#last ?? {};
		return { ...(plan !== undefined && { plan }), ...(email !== undefined && { email }) };
	}
}

/** A clock that was set back makes nothing fresh for longer. */
const isFresh = ({ at, failed }: Asked, now: number): boolean =>
	Math.abs(now - at) <= (failed ? FAILED_FRESH_MS : FRESH_MS);

function knownQuota(quota: AccountQuota, readAt: number): KnownQuota {
	const { plan, email, pools, periodStart, resetsAt, autoModels } = quota;
	return {
		readAt,
		...(plan !== undefined && { plan }),
		...(email !== undefined && { email }),
		pools,
		...(periodStart && { periodStart: periodStart.getTime() }),
		...(resetsAt && { resetsAt: resetsAt.getTime() }),
		autoModels,
	};
}

/** What is kept of it. A pool of which Cursor does not say how full it is has no reading. */
export function readingsOf({ pools, resetsAt }: Pick<AccountQuota, "pools" | "resetsAt">, at: number): PoolReading[] {
	const reset = resetsAt && { resetsAt: resetsAt.getTime() };
	return pools.flatMap(({ name: pool, usedPercent, ...cents }) =>
		usedPercent === undefined ? [] : [{ at, pool, usedPercent, ...cents, ...reset }],
	);
}
