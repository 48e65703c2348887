import type { Clock } from "../../time/clock.ts";
import { type Listed, Roster } from "../../time/roster.ts";

/** Something that looks at the time once per second. */
export interface Pulsed extends Listed<Pulsed> {
	tick(now: number): void;
}

const INTERVAL_MS = 1_000;

/** One timer for all runs: a thousand waiting runs cost one wake-up a second and not a thousand timers. */
export class Pulse {
	readonly #clock: Clock;
	readonly #members = new Roster<Pulsed>();
	#stop: (() => void) | undefined;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	get size(): number {
		return this.#members.size;
	}

	add(member: Pulsed): void {
		this.#members.add(member);
		this.#schedule();
	}

	remove(member: Pulsed): void {
		this.#members.delete(member);
		if (this.#members.size > 0) return;
		this.#stop?.();
		this.#stop = undefined;
	}

	#schedule(): void {
		if (this.#stop || this.#members.size === 0) return;
		this.#stop = this.#clock.after(INTERVAL_MS, () => {
			this.#stop = undefined;
			const now = this.#clock.now();
			for (const member of [...this.#members]) member.tick(now);
			this.#schedule();
		});
	}
}
