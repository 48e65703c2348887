import type { Attempts } from "./attempts/attempts.ts";
import type { RunLimits } from "./run-limits.ts";
import type { RunTimer } from "./run-timer.ts";

export interface TurnWaitOwner {
	isRunning(): boolean;
	/** No further call has come. */
	graceElapsed(): void;
	/** The turn has ended, and the stream stays open behind it. */
	complete(): void;
}

/** Waits a while for further calls, or for the end of a stream that stays open after its turn. */
export class TurnWait {
	readonly #attempts: Attempts;
	readonly #timer: RunTimer;
	readonly #limits: RunLimits;
	readonly #owner: TurnWaitOwner;

	constructor(attempts: Attempts, timer: RunTimer, limits: RunLimits, owner: TurnWaitOwner) {
		this.#attempts = attempts;
		this.#timer = timer;
		this.#limits = limits;
		this.#owner = owner;
	}

	/** Begins to wait where the machine says that there is something to wait for. */
	arm(): void {
		if (this.#timer.isSet || !this.#owner.isRunning()) return;
		const { machine } = this.#attempts.approach;
		if (machine.needsGrace) this.#waitForCalls();
		else if (machine.turnEnded) this.#timer.set(this.#limits.lingerMs, () => this.#owner.complete());
	}

	/** A stream that was cut gets the whole time again once it is back. */
	#waitForCalls(): void {
		const wasInterrupted = this.#attempts.isInterrupted;
		this.#timer.set(this.#limits.graceMs, () => {
			if (wasInterrupted || this.#attempts.isInterrupted) return this.arm();
			this.#owner.graceElapsed();
		});
	}
}
