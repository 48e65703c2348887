import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import type { ErrorKind } from "../../turn/error-kinds.ts";
import { type Attempt, Breaker, type BreakerLimits, type BreakerState, type Pause } from "./breaker.ts";
import { RetryBudget, type RetryBudgetLimits } from "./retry-budget.ts";

export interface HealthLimits extends BreakerLimits {
	/** Up to this many consecutive failures count as isolated. Beyond that, silent retries would only add to the load. */
	isolatedStrikes: number;
	retries: RetryBudgetLimits;
}

/** An attempt that counts only those failures that are the upstream's fault. */
export interface HostAttempt extends Attempt {
	/** `madeProgress`: it worked for a while before it broke, so earlier failures no longer count. */
	failed(error: GatewayError, madeProgress?: boolean): void;
}

/** What is known about a host, for the log and for `doctor`. */
export interface HealthReport {
	host: string;
	state: BreakerState;
	/** Consecutive failures. */
	failures: number;
	/** Description of the last failure. */
	lastFailure: string | undefined;
	/** Time until the upstream is tried again. */
	retryInSeconds: number | undefined;
}

/**
 * Failures that are the fault of the upstream or of the path to it. The caller's own mistakes, rate limits, quotas and
 * sign-in problems are not among them, because an upstream that reports these is working.
 */
const AGAINST_UPSTREAM: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
	"upstream-unavailable",
	"upstream-timeout",
	"upstream-stalled",
	"upstream-reset",
	"upstream-protocol",
	"upstream-empty",
	"upstream-error",
]);

/** How a host serves an account: whether anything may be sent to it, and whether a failed attempt may be repeated. */
export class HostHealth {
	readonly #host: string;
	readonly #breaker: Breaker;
	readonly #budget: RetryBudget;
	readonly #isolatedStrikes: number;

	constructor(host: string, limits: HealthLimits, clock: Pick<Clock, "now">, changed: (health: HealthReport) => void) {
		this.#host = host;
		this.#breaker = new Breaker(limits, clock, () => changed(this.report()));
		this.#budget = new RetryBudget(limits.retries);
		this.#isolatedStrikes = limits.isolatedStrikes;
	}

	/** Starts a new attempt. Throws a `GatewayError` if the upstream has failed too often to be tried now. */
	begin(): HostAttempt {
		const entered = this.#breaker.enter();
		if ("waitMs" in entered) throw refusal(entered);
		return this.#watched(entered);
	}

	/** An attempt in a stream that is already open. */
	join(): HostAttempt {
		return this.#watched(this.#breaker.join());
	}

	/** Takes a retry from the budget. If this returns false, the failure is reported to the client. */
	spendRetry(): boolean {
		const isIsolated = this.#breaker.state === "closed" && this.#breaker.strikes <= this.#isolatedStrikes;
		return isIsolated && this.#budget.spend();
	}

	/** The error to report to the client. If the upstream keeps failing, it says that an immediate retry is pointless. */
	told(error: GatewayError): GatewayError {
		const { pause } = this.#breaker;
		return pause?.isLasting && AGAINST_UPSTREAM.has(error.kind) ? refusal({ ...pause, cause: error }) : error;
	}

	report(): HealthReport {
		const { state, strikes, cause, pause } = this.#breaker;
		return {
			host: this.#host,
			state,
			failures: strikes,
			lastFailure: cause && describe(cause),
			retryInSeconds: pause && Math.ceil(pause.waitMs / 1000),
		};
	}

	#watched(attempt: Attempt): HostAttempt {
		return new WatchedAttempt(attempt, this.#breaker, this.#budget);
	}
}

class WatchedAttempt implements HostAttempt {
	readonly #attempt: Attempt;
	readonly #breaker: Breaker;
	readonly #budget: RetryBudget;

	constructor(attempt: Attempt, breaker: Breaker, budget: RetryBudget) {
		this.#attempt = attempt;
		this.#breaker = breaker;
		this.#budget = budget;
	}

	answering(): void {
		this.#attempt.answering();
	}

	succeeded(): void {
		this.#attempt.succeeded();
		this.#budget.succeeded();
	}

	failed(error: GatewayError, madeProgress = false): void {
		if (!AGAINST_UPSTREAM.has(error.kind)) {
			// An upstream that explicitly refuses a request is working.
			this.#attempt.answering();
			this.#attempt.left();
		} else if (madeProgress) {
			this.#attempt.succeeded();
			this.#breaker.join().failed(error);
		} else this.#attempt.failed(error);
	}

	left(): void {
		this.#attempt.left();
	}
}

function refusal({ waitMs, isLasting, cause }: Pause): GatewayError {
	const seconds = Math.max(1, Math.ceil(waitMs / 1000));
	const kind = isLasting ? "upstream-failing" : "upstream-unavailable";
	return new GatewayError(kind, "Cursor keeps failing, so the gateway has stopped asking it for a moment.", {
		detail: `The last failure: ${describe(cause)}`,
		retryAfterSeconds: seconds,
		nextStep: `Try again in ${seconds} s; \`cursorwire doctor\` says which hop fails.`,
		cause,
	});
}

function describe({ message, detail }: GatewayError): string {
	return detail ? `${message} ${detail}` : message;
}
