import type { Clock } from "../../time/clock.ts";

/** The one thing that a run does later: stop waiting for further calls, take a turn as ended, or try again. */
export class RunTimer {
	readonly #clock: Clock;
	#cancel: (() => void) | undefined;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	get isSet(): boolean {
		return this.#cancel !== undefined;
	}

	/** In place of what was set before. */
	set(delayMs: number, action: () => void): void {
		this.cancel();
		this.#cancel = this.#clock.after(delayMs, () => {
			this.#cancel = undefined;
			action();
		});
	}

	cancel(): void {
		this.#cancel?.();
		this.#cancel = undefined;
	}
}
