export interface RetryBudgetLimits {
	/** Retries available before anything has succeeded. */
	reserve: number;
	/** What one success adds. */
	perSuccess: number;
	/** The most that can be saved up. */
	most: number;
}

/** One retry per five successes, and one to start with, so a persistent failure causes hardly any extra requests. */
export const DEFAULT_RETRY_BUDGET: RetryBudgetLimits = { reserve: 1, perSuccess: 0.2, most: 5 };

/** Tolerance for sums of fractions that should add up to a whole. */
const ROUNDING = 1e-9;

/** How many attempts may be repeated, counted over all turns of a host and account. */
export class RetryBudget {
	readonly #limits: RetryBudgetLimits;
	#left: number;

	constructor(limits: RetryBudgetLimits) {
		this.#limits = limits;
		this.#left = limits.reserve;
	}

	get left(): number {
		return this.#left;
	}

	succeeded(): void {
		this.#left = Math.min(this.#left + this.#limits.perSuccess, this.#limits.most);
	}

	/** Takes one retry, if there is one. */
	spend(): boolean {
		if (this.#left < 1 - ROUNDING) return false;
		this.#left -= 1;
		return true;
	}
}
