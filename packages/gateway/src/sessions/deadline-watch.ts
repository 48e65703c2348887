import type { Clock } from "../time/clock.ts";
import type { ParkedRuns } from "./parked-runs.ts";

/** How late an expired deadline may be noticed. */
const CHECK_MS = 5_000;

/** Ends runs that have waited too long. It sets no timer while none waits. */
export class DeadlineWatch {
	readonly #parked: ParkedRuns;
	readonly #clock: Clock;
	readonly #checkMs: number;
	#cancel: (() => void) | undefined;

	constructor(parked: ParkedRuns, clock: Clock, deadlineMs: number) {
		this.#parked = parked;
		this.#clock = clock;
		this.#checkMs = Math.min(CHECK_MS, deadlineMs);
	}

	watch(): void {
		if (this.#cancel || this.#parked.size === 0) return;
		this.#cancel = this.#clock.after(this.#checkMs, () => {
			this.#cancel = undefined;
			this.#parked.expire(this.#clock.now());
			this.watch();
		});
	}

	stop(): void {
		this.#cancel?.();
		this.#cancel = undefined;
	}
}
