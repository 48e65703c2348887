import type { Clock } from "../../../time/clock.ts";
import type { GatewayError } from "../../../turn/error.ts";
import type { ProtocolName } from "../../protocols/driver.ts";
import type { RunFacts, ShowingRun } from "../run-facts.ts";
import type { RetryReason, RunObserver } from "../run-observer.ts";

/** Tells whoever follows a run of the other streams that it tries, and knows since when it is trying. */
export class RetryWatch<Run extends ShowingRun = ShowingRun> {
	readonly #run: Run;
	readonly #observer: RunObserver<Run>;
	readonly #facts: RunFacts;
	readonly #clock: Clock;
	#since: number | undefined;

	constructor(run: Run, observer: RunObserver<Run>, facts: RunFacts, clock: Clock) {
		this.#run = run;
		this.#observer = observer;
		this.#facts = facts;
		this.#clock = clock;
	}

	/** When another stream became necessary; undefined once it brings something. */
	get since(): number | undefined {
		return this.#since;
	}

	/** Why there must be no other attempt, whatever else speaks for it. */
	mayRetry(): GatewayError | undefined {
		return this.#observer.mayRetry?.(this.#run);
	}

	/** The stream failed for this reason, and another one follows. */
	retrying(reason: RetryReason): void {
		this.#since = this.#clock.now();
		this.#observer.retried?.(this.#run, reason);
	}

	/** The host does not serve the protocol that was tried, and another one follows. */
	switching(refusal: GatewayError, to: ProtocolName): void {
		this.#facts.failed(refusal);
		this.#observer.switched?.(this.#run.protocol, to);
	}

	/** The stream brings something. */
	answered(): void {
		this.#since = undefined;
	}
}
