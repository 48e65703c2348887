import type { Clock } from "../time/clock.ts";
import type { LedgerRow } from "./ledger-row.ts";
import { tidyRow } from "./ledger-row.ts";

export interface LedgerBufferOptions {
	/** Handles its own errors: a rejection would block all later rows. */
	write(rows: LedgerRow[]): Promise<void>;
	clock: Clock;
	/** At most so often something is written. A row waits no longer than this, which is what a crash can lose. */
	everyMs?: number;
	/** This many rows are written without waiting longer. */
	maxRows?: number;
}

/**
 * Collects ledger rows and writes them together, never while a request is ending. A row that comes after a quiet time is
 * written as soon as its request has ended: of one person's turns, a crash loses none.
 */
export class LedgerBuffer {
	readonly #write: (rows: LedgerRow[]) => Promise<void>;
	readonly #clock: Clock;
	readonly #everyMs: number;
	readonly #maxRows: number;
	#rows: LedgerRow[] = [];
	#cancelTimer: (() => void) | undefined;
	#written: Promise<void> = Promise.resolve();
	#lastFlush = Number.NEGATIVE_INFINITY;

	constructor({ write, clock, everyMs = 25, maxRows = 256 }: LedgerBufferOptions) {
		this.#write = write;
		this.#clock = clock;
		this.#everyMs = everyMs;
		this.#maxRows = maxRows;
	}

	record(row: LedgerRow): void {
		this.#rows.push(tidyRow(row));
		if (this.#rows.length === 1) this.#flushAfter(Math.max(0, this.#lastFlush + this.#everyMs - this.#clock.now()));
		else if (this.#rows.length === this.#maxRows) this.#flushAfter(0);
	}

	/** Resolves when every row recorded so far is written; batches keep their order. */
	flush(): Promise<void> {
		this.#cancelTimer?.();
		this.#cancelTimer = undefined;
		if (this.#rows.length > 0) {
			const rows = this.#rows;
			this.#rows = [];
			this.#lastFlush = this.#clock.now();
			this.#written = this.#written.then(() => this.#write(rows));
		}
		return this.#written;
	}

	#flushAfter(ms: number): void {
		this.#cancelTimer?.();
		this.#cancelTimer = this.#clock.after(ms, () => void this.flush());
	}
}
