import type { Clock } from "../time/clock.ts";
import type { LedgerRow } from "./ledger-row.ts";
import { tidyRow } from "./ledger-row.ts";

export interface LedgerBufferOptions {
	/** Handles its own errors: a rejection would block all later rows. */
	write(rows: LedgerRow[]): Promise<void>;
	clock: Clock;
	/** At most so often something is written. A row waits no longer than this, which is all that a crash can lose. */
	everyMs?: number;
	/** This many rows are written without waiting longer. */
	maxRows?: number;
}

/**
 * Collects the rows of the ledger where many turns end, and writes them together, because a row by itself costs as much
 * as seven in a batch. A row that comes after a quiet moment is written at once: its turn tells the client of its end
 * only afterwards, so of one person's turns a crash loses none that the client saw end.
 */
export class LedgerBuffer {
	readonly #write: (rows: LedgerRow[]) => Promise<void>;
	readonly #clock: Clock;
	readonly #everyMs: number;
	readonly #maxRows: number;
	#rows: LedgerRow[] = [];
	#cancelTimer: (() => void) | undefined;
	#written: Promise<void> = Promise.resolve();
	/** Batches that are not written yet. */
	#unwritten = 0;
	#lastFlush = Number.NEGATIVE_INFINITY;

	constructor({ write, clock, everyMs = 25, maxRows = 256 }: LedgerBufferOptions) {
		this.#write = write;
		this.#clock = clock;
		this.#everyMs = everyMs;
		this.#maxRows = maxRows;
	}

	/** A row that is recorded now waits for others. */
	get isBusy(): boolean {
		return this.#clock.now() - this.#lastFlush < this.#everyMs;
	}

	record(row: LedgerRow): void {
		this.#rows.push(tidyRow(row));
		if (this.#rows.length === this.#maxRows) return this.#flushAfter(0);
		if (this.#rows.length > 1) return;
		if (this.isBusy) this.#flushAfter(this.#lastFlush + this.#everyMs - this.#clock.now());
		else void this.flush();
	}

	/** Resolves when every row recorded so far is written; batches keep their order. */
	flush(): Promise<void> {
		this.#cancelTimer?.();
		this.#cancelTimer = undefined;
		if (this.#rows.length > 0) {
			const rows = this.#rows;
			this.#rows = [];
			this.#lastFlush = this.#clock.now();
			this.#written = this.#writeInTurn(rows).then(() => void this.#unwritten--);
		}
		return this.#written;
	}

	/** At once where nothing is on its way, so that a store in this process has the rows when this returns. */
	#writeInTurn(rows: LedgerRow[]): Promise<void> {
		return this.#unwritten++ === 0 ? this.#write(rows) : this.#written.then(() => this.#write(rows));
	}

	#flushAfter(ms: number): void {
		this.#cancelTimer?.();
		this.#cancelTimer = this.#clock.after(ms, () => void this.flush());
	}
}
