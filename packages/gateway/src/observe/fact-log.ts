import type { Clock } from "../time/clock.ts";
import type { Fact, Refused } from "./facts.ts";
import type { LogBook } from "./log-book.ts";

/** How many refusals of one cause are logged one by one. The rest are counted, and the count is logged every minute. */
const TOLD_SINGLY = 5;
const COUNTED_FOR_MS = 60_000;

interface Storm {
	told: number;
	counted: number;
	status: number;
	cancel(): void;
}

/** Writes facts to the log: a line per turn, and refusals so that a client that repeats itself does not flood it. */
export class FactLog {
	readonly #book: LogBook;
	readonly #clock: Clock;
	/** By kind of error, of which there is a closed set. */
	readonly #storms = new Map<string, Storm>();

	constructor(book: LogBook, clock: Clock) {
		this.#book = book;
		this.#clock = clock;
	}

	readonly write = (fact: Fact): void => {
		switch (fact.type) {
			case "refused":
				return this.#refused(fact);
			case "turn-ended":
				return this.#book.write("info", fact, "turn");
			case "limit-decided":
				// Refusals are in the line of their turn.
				if (fact.decision === "warned") this.#book.write("warn", { limit: fact.limit }, fact.text);
				return;
			case "limit-changed":
				return this.#book.write("info", { limit: fact.limit }, `limit ${fact.change}: ${fact.text}`);
			case "loop-seen":
				return this.#book.write("warn", fact, "a tool is called again and again");
		}
	};

	/** Logs what was only counted so far. */
	close(): void {
		for (const [errorKind, storm] of this.#storms) {
			storm.cancel();
			this.#sum(errorKind, storm);
		}
		this.#storms.clear();
	}

	#refused(fact: Refused): void {
		const storm = this.#storms.get(fact.errorKind) ?? this.#begin(fact.errorKind, fact.status, 0);
		if (storm.told === TOLD_SINGLY) {
			storm.counted++;
			return;
		}
		storm.told++;
		this.#book.write(levelOf(fact.status), fact, "refused");
	}

	#begin(errorKind: string, status: number, told: number): Storm {
		const cancel = this.#clock.after(COUNTED_FOR_MS, () => this.#minuteOver(errorKind));
		const storm = { told, counted: 0, status, cancel };
		this.#storms.set(errorKind, storm);
		return storm;
	}

	/** While more come, only their count is logged; after a quiet minute, single ones are again. */
	#minuteOver(errorKind: string): void {
		const storm = this.#storms.get(errorKind)!;
		this.#storms.delete(errorKind);
		if (storm.counted === 0) return;
		this.#sum(errorKind, storm);
		this.#begin(errorKind, storm.status, TOLD_SINGLY);
	}

	#sum(errorKind: string, { counted, status }: Storm): void {
		if (counted > 0) this.#book.write(levelOf(status), { status, errorKind, refusals: counted }, "refused again");
	}
}

/** What the owner may have to act on. Clients also probe for paths and features, which is no reason to worry. */
const WARNED: readonly number[] = [401, 403, 413, 429, 503];

const levelOf = (status: number): "info" | "warn" => (WARNED.includes(status) ? "warn" : "info");
