import type { Clock } from "../../time/clock.ts";
import type { GatewayError } from "../../turn/error.ts";

export interface BreakerLimits {
	/** Consecutive failures after which nothing more is sent. */
	strikes: number;
	/** Number of recent outcomes considered. If half of them are failures, nothing more is sent. */
	window: number;
	/** Length of the first pause. It doubles each time the upstream still fails afterwards. */
	firstPauseMs: number;
	longestPauseMs: number;
}

/**
 * Four failures rather than three, so that a client that retries by itself still gets through after three failures. The
 * longest pause equals the longest `retry-after` that clients wait for.
 */
export const DEFAULT_BREAKER_LIMITS: BreakerLimits = {
	strikes: 4,
	window: 10,
	firstPauseMs: 5_000,
	longestPauseMs: 60_000,
};

export type BreakerState = "closed" | "open" | "half-open";

/** Why nothing may be sent now. */
export interface Pause {
	/** Time until something may be sent again. */
	waitMs: number;
	/** The upstream failed again after a pause, so this is not a brief disturbance. */
	isLasting: boolean;
	cause: GatewayError;
}

/** One attempt at the upstream. Only the first outcome reported counts. */
export interface Attempt {
	/** The upstream has begun to respond. If this attempt is a probe, others need not wait for its end. */
	answering(): void;
	succeeded(): void;
	/** It failed in a way that is the upstream's fault. */
	failed(error: GatewayError): void;
	/** It ended without saying anything about the upstream, for example because the client disconnected. */
	left(): void;
}

/**
 * The circuit breaker of one host and account. It has no timers: what is due is computed when someone asks.
 *
 * Closed: every attempt passes. Attempts that were in flight when a failure was counted are considered part of it, so
 * losing a connection with ten streams is one strike and not ten. Open: nothing passes until the pause is over.
 * Half-open: one attempt passes as a probe. When the upstream begins to respond to the probe, everything passes again,
 * but on probation: the next failure opens the breaker, until one attempt has succeeded to its end.
 */
export class Breaker {
	readonly #limits: BreakerLimits;
	readonly #clock: Pick<Clock, "now">;
	readonly #changed: (state: BreakerState) => void;
	#state: BreakerState = "closed";
	#strikes = 0;
	/** Strikes (false) and successes (true), oldest first. */
	#outcomes: boolean[] = [];
	/** Pauses since the last success. */
	#pauses = 0;
	#pauseEndsAt = 0;
	#probe: object | undefined;
	#cause: GatewayError | undefined;
	#begun = 0;
	/** Attempts up to this number say nothing about the time after the last strike. */
	#begunAtStrike = 0;

	constructor(limits: BreakerLimits, clock: Pick<Clock, "now">, changed: (state: BreakerState) => void = () => {}) {
		this.#limits = limits;
		this.#clock = clock;
		this.#changed = changed;
	}

	get state(): BreakerState {
		return this.#state;
	}

	/** Failures since the last success. */
	get strikes(): number {
		return this.#strikes;
	}

	get cause(): GatewayError | undefined {
		return this.#cause;
	}

	/** Undefined if an attempt would pass now. */
	get pause(): Pause | undefined {
		if (this.#state === "closed") return undefined;
		const left = this.#pauseEndsAt - this.#clock.now();
		if (left <= 0) return undefined;
		// How long a probe takes is unknown, but it is usually quick.
		const waitMs = this.#probe ? Math.min(left, this.#limits.firstPauseMs) : left;
		return { waitMs, isLasting: this.#pauses > 1, cause: this.#cause! };
	}

	/** Returns an attempt that may be made now, or the pause that prevents it. */
	enter(): Attempt | Pause {
		const { pause } = this;
		if (pause) return pause;
		if (this.#state === "closed") return this.join();
		const attempt = this.join();
		this.#probe = attempt;
		// Limits how long a probe that never reports back can hold up the others.
		this.#pauseEndsAt = this.#clock.now() + this.#limits.longestPauseMs;
		this.#become("half-open");
		return attempt;
	}

	/** An attempt that continues in an open stream, so it is too late to refuse it. */
	join(): Attempt {
		return new Breaker.#Attempt(this, ++this.#begun);
	}

	/** An attempt, by its number. */
	static readonly #Attempt = class implements Attempt {
		readonly #breaker: Breaker;
		readonly #number: number;
		#isOver = false;

		constructor(breaker: Breaker, number: number) {
			this.#breaker = breaker;
			this.#number = number;
		}

		answering(): void {
			if (!this.#isOver && this.#breaker.#probe === this) this.#breaker.#onProbation();
		}

		succeeded(): void {
			if (this.#end()) this.#breaker.#succeeded(this.#number, this);
		}

		failed(error: GatewayError): void {
			if (this.#end()) this.#breaker.#failed(this.#number, this, error);
		}

		left(): void {
			if (this.#end()) this.#breaker.#left(this);
		}

		/** False if it was over already. */
		#end(): boolean {
			const isFirst = !this.#isOver;
			this.#isOver = true;
			return isFirst;
		}
	};

	#succeeded(number: number, attempt: Attempt): void {
		if (this.#probe === attempt) this.#onProbation();
		if (this.#state !== "closed") return;
		this.#note(true);
		if (number <= this.#begunAtStrike) return;
		this.#strikes = 0;
		this.#pauses = 0;
		this.#cause = undefined;
	}

	#failed(number: number, attempt: Attempt, error: GatewayError): void {
		if (this.#probe === attempt) return this.#open(error);
		if (this.#state !== "closed" || number <= this.#begunAtStrike) return;
		this.#begunAtStrike = this.#begun;
		this.#strikes += 1;
		this.#cause = error;
		this.#note(false);
		if (this.#strikes >= this.#limits.strikes || this.#halfFails()) this.#open(error);
	}

	/** A probe ended without an outcome, so the next attempt becomes the probe. */
	#left(attempt: Attempt): void {
		if (this.#probe !== attempt) return;
		this.#probe = undefined;
		this.#pauseEndsAt = this.#clock.now();
		this.#become("open");
	}

	#open(cause: GatewayError): void {
		const { firstPauseMs, longestPauseMs, strikes } = this.#limits;
		this.#pauseEndsAt = this.#clock.now() + Math.min(firstPauseMs * 2 ** this.#pauses, longestPauseMs);
		this.#pauses += 1;
		this.#probe = undefined;
		this.#cause = cause;
		this.#strikes = strikes;
		this.#outcomes = [];
		this.#begunAtStrike = this.#begun;
		this.#become("open");
	}

	#onProbation(): void {
		this.#probe = undefined;
		this.#strikes = this.#limits.strikes - 1;
		this.#become("closed");
	}

	#note(isSuccess: boolean): void {
		this.#outcomes.push(isSuccess);
		if (this.#outcomes.length > this.#limits.window) this.#outcomes.shift();
	}

	#halfFails(): boolean {
		const failures = this.#outcomes.filter((isSuccess) => !isSuccess).length;
		return this.#outcomes.length >= this.#limits.window && failures * 2 >= this.#limits.window;
	}

	#become(state: BreakerState): void {
		if (this.#state === state) return;
		this.#state = state;
		this.#changed(state);
	}
}
