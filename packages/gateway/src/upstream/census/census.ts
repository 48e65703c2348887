import type { DescMessage, Message } from "@bufbuild/protobuf";
import { type CensusRow, keyOf, type Sighting, Tally } from "./tally.ts";
import { tellUnknown } from "./unknown-parts.ts";

/** Looks a decoded message over for what is unknown here. Never fails, and never keeps anything of the message. */
export type CountUnknown = (schema: DescMessage, message: Message) => void;

export interface CensusOptions {
	/** Milliseconds of the epoch. */
	now(): number;
	/** Something is there that was not taken yet. */
	changed?(): void;
}

/** Counts what Cursor sends that this version does not know: that the protocol changes is seen before it hurts. */
export class Census {
	readonly #options: CensusOptions;
	readonly #seen = new Tally();
	/** How much of each count was taken. */
	readonly #taken = new Map<string, number>();

	constructor(options: CensusOptions) {
		this.#options = options;
	}

	/** Looks at the messages that come for a client of this version. */
	counterFor(clientVersion: string): CountUnknown {
		const tell = (sighting: Sighting) => this.add(clientVersion, sighting);
		return (schema, message) => tellUnknown(schema, message, tell);
	}

	add(clientVersion: string, sighting: Sighting): void {
		this.#seen.add(clientVersion, sighting, this.#options.now());
		this.#options.changed?.();
	}

	/** Everything that was seen since this process began. */
	rows(): CensusRow[] {
		return this.#seen.rows();
	}

	/** What was seen since the last time that it was taken. */
	untaken(): CensusRow[] {
		const rows = this.rows().map((row) => ({ ...row, count: row.count - (this.#taken.get(nameOf(row)) ?? 0) }));
		return rows.filter(({ count }) => count > 0);
	}

	/** The same, for who keeps it. */
	take(): CensusRow[] {
		const rows = this.untaken();
		for (const row of rows) this.#addTaken(row, row.count);
		return rows;
	}

	/** It could not be kept. */
	putBack(rows: readonly CensusRow[]): void {
		for (const row of rows) this.#addTaken(row, -row.count);
	}

	#addTaken(row: CensusRow, count: number): void {
		this.#taken.set(nameOf(row), (this.#taken.get(nameOf(row)) ?? 0) + count);
	}
}

const nameOf = (row: CensusRow) => `${row.clientVersion} ${keyOf(row)}`;
