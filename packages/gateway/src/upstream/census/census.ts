import type { DescMessage, Message } from "@bufbuild/protobuf";
import { type CensusRow, keyOf, type Sighting, Tally } from "./tally.ts";
import { tellUnknown } from "./unknown-parts.ts";

/** Inspects a decoded message for unknown parts. Never fails, and never keeps any content of the message. */
export type CountUnknown = (schema: DescMessage, message: Message) => void;

export interface CensusOptions {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Called when there is something new to take. */
	changed?(): void;
}

/**
 * Counts what Cursor sends that this version does not know, so that protocol changes are noticed before they do harm.
 */
export class Census {
	readonly #options: CensusOptions;
	readonly #seen = new Tally();
	/** How much of each count has been taken. */
	readonly #taken = new Map<string, number>();

	constructor(options: CensusOptions) {
		this.#options = options;
	}

	/** A counter for messages sent to a client of this version. */
	counterFor(clientVersion: string): CountUnknown {
		const tell = (sighting: Sighting) => this.add(clientVersion, sighting);
		return (schema, message) => tellUnknown(schema, message, tell);
	}

	add(clientVersion: string, sighting: Sighting): void {
		this.#seen.add(clientVersion, sighting, this.#options.now());
		this.#options.changed?.();
	}

	/** Everything counted since this process started. */
	rows(): CensusRow[] {
		return this.#seen.rows();
	}

	/** What was counted since the last `take`. */
	untaken(): CensusRow[] {
		const rows = this.rows().map((row) => ({ ...row, count: row.count - (this.#taken.get(nameOf(row)) ?? 0) }));
		return rows.filter(({ count }) => count > 0);
	}

	/** Like `untaken`, but marks the rows as taken. For the caller that saves them. */
	take(): CensusRow[] {
		const rows = this.untaken();
		for (const row of rows) this.#addTaken(row, row.count);
		return rows;
	}

	/** Undoes a `take` whose rows could not be saved. */
	putBack(rows: readonly CensusRow[]): void {
		for (const row of rows) this.#addTaken(row, -row.count);
	}

	#addTaken(row: CensusRow, count: number): void {
		this.#taken.set(nameOf(row), (this.#taken.get(nameOf(row)) ?? 0) + count);
	}
}

const nameOf = (row: CensusRow) => `${row.clientVersion} ${keyOf(row)}`;
