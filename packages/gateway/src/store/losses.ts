import type { Problem, ProblemName } from "../observe/problem.ts";

const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** What was lost recently. It cannot be restored, so it is reported for a day and then forgotten. */
export class Losses {
	readonly #now: () => number;
	readonly #lost = new Map<ProblemName, { reason: string; at: number }>();

	/** `now`: milliseconds since 1970. */
	constructor(now: () => number) {
		this.#now = now;
	}

	add(name: ProblemName, reason: string, at = this.#now()): void {
		this.#lost.set(name, { reason, at });
	}

	list(): Problem[] {
		return [...this.#lost]
			.filter(([, { at }]) => this.#now() - at < REMEMBERED_MS)
			.map(([name, { reason }]) => ({ name, reason }));
	}
}
