import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import type { ErrorKind } from "../../turn/error-kinds.ts";
import { type Attempt, Breaker, type BreakerLimits, type BreakerState, type Pause } from "./breaker.ts";
import { RetryBudget, type RetryBudgetLimits } from "./retry-budget.ts";

export interface HealthLimits extends BreakerLimits {
	/** So many failures in a row still count as isolated. Beyond them, to repeat silently only adds to the load. */
	isolatedStrikes: number;
	retries: RetryBudgetLimits;
}

/** An attempt whose failures are sorted by whose they are. */
export interface HostAttempt extends Attempt {
	/** `madeProgress`: it was served for a while before it broke, so what failed before has passed. */
	failed(error: GatewayError, madeProgress?: boolean): void;
}

/** What is known of a host, for the log and for `doctor`. */
export interface HealthReport {
	host: string;
	state: BreakerState;
	/** Failures in a row. */
	failures: number;
	/** The last of them, in words. */
	lastFailure: string | undefined;
	/** Until the upstream is asked again. */
	retryInSeconds: number | undefined;
}

/**
 * Failures that speak against the upstream or the way to it. What is the caller's own mistake, a limit, a quota or a
 * matter of signing in is not among them: the upstream that says so is well.
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

/** How a host serves an account: whether anything may be sent there, and whether a failed attempt may be repeated. */
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

	/** A new attempt. Throws a `GatewayError` where the upstream has failed too often to be asked now. */
	begin(): HostAttempt {
		const entered = this.#breaker.enter();
		if ("waitMs" in entered) throw refusal(entered);
		return this.#watched(entered);
	}

	/** An attempt in a stream that is open already. */
	join(): HostAttempt {
		return this.#watched(this.#breaker.join());
	}

	/** Takes a retry from the budget. False: the failure is to be told. */
	spendRetry(): boolean {
		const isIsolated = this.#breaker.state === "closed" && this.#breaker.strikes <= this.#isolatedStrikes;
		return isIsolated && this.#budget.spend();
	}

	/** An error as the client is to hear it: where the upstream fails for good, trying again at once has no point. */
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
		return {
			answering: () => attempt.answering(),
			succeeded: () => {
				attempt.succeeded();
				this.#budget.succeeded();
			},
			failed: (error, madeProgress = false) => {
				if (!AGAINST_UPSTREAM.has(error.kind)) {
					// An upstream that refuses a request in so many words works.
					attempt.answering();
					attempt.left();
				} else if (madeProgress) {
					attempt.succeeded();
					this.#breaker.join().failed(error);
				} else attempt.failed(error);
			},
			left: () => attempt.left(),
		};
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
