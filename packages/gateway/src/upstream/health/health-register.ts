import type { Clock } from "../../time/clock.ts";
import { DEFAULT_BREAKER_LIMITS } from "./breaker.ts";
import { type HealthLimits, type HealthReport, HostHealth } from "./host-health.ts";
import { DEFAULT_RETRY_BUDGET } from "./retry-budget.ts";

export const DEFAULT_HEALTH_LIMITS: HealthLimits = {
	...DEFAULT_BREAKER_LIMITS,
	isolatedStrikes: 1,
	retries: DEFAULT_RETRY_BUDGET,
};

/** More hosts and accounts than are ever in use. Beyond it the oldest entry is dropped and starts over if needed. */
const MOST_HOSTS = 1_024;

export interface HealthRegisterOptions {
	limits: HealthLimits;
	clock: Pick<Clock, "now">;
	/** Called when a host is given up on, is tried again, or has recovered. */
	changed(health: HealthReport): void;
}

/** The health of every host, separately per account, because what fails for one account may work for another. */
export class HealthRegister {
	readonly #options: HealthRegisterOptions;
	readonly #hosts = new Map<string, { account: string; health: HostHealth }>();

	/** What was asked for last, which is nearly always what is asked for next. */
	#last: { url: URL; account: string; health: HostHealth } | undefined;

	constructor(options: HealthRegisterOptions) {
		this.#options = options;
	}

	of(url: URL, account: string): HostHealth {
		if (this.#last?.url === url && this.#last.account === account) return this.#last.health;
		const health = this.#find(url, account);
		this.#last = { url, account, health };
		return health;
	}

	#find({ host, origin }: URL, account: string): HostHealth {
		const key = `${origin} ${account}`;
		const known = this.#hosts.get(key);
		if (known) return known.health;
		const { limits, clock, changed } = this.#options;
		const health = new HostHealth(host, limits, clock, changed);
		this.#hosts.set(key, { account, health });
		if (this.#hosts.size > MOST_HOSTS) this.#hosts.delete(this.#hosts.keys().next().value!);
		return health;
	}

	/** The hosts that an account has used. */
	reports(account: string): HealthReport[] {
		return [...this.#hosts.values()].filter((each) => each.account === account).map(({ health }) => health.report());
	}
}
