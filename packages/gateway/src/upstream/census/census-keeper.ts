import type { Clock } from "../../time/clock.ts";
import { Census } from "./census.ts";
import { CensusFile, type CensusFileOptions } from "./census-file.ts";
import { type CensusRow, Tally } from "./tally.ts";

export interface CensusKeeperOptions extends CensusFileOptions {
	clock: Clock;
	/** Milliseconds since the epoch. */
	now(): number;
}

/** How long new rows wait in memory, so that no request waits for the disk. */
const WRITE_AFTER_MS = 10_000;

/** A census that outlives the process. What it counts is added to the file in the data folder a little later. */
export class CensusKeeper {
	readonly census: Census;
	readonly #file: CensusFile;
	readonly #clock: Clock;
	#cancelTimer: (() => void) | undefined;

	constructor(options: CensusKeeperOptions) {
		this.#file = new CensusFile(options);
		this.#clock = options.clock;
		this.census = new Census({ now: options.now, changed: () => this.#arm() });
	}

	/** What this process and all earlier ones counted. */
	async all(): Promise<CensusRow[]> {
		await this.save();
		const tally = new Tally();
		tally.merge(await this.#file.read());
		// Rows that could not be written count as well.
		tally.merge(this.census.untaken());
		return tally.rows();
	}

	async save(): Promise<void> {
		this.#cancelTimer?.();
		this.#cancelTimer = undefined;
		const rows = this.census.take();
		if (rows.length > 0 && !(await this.#file.add(rows))) this.census.putBack(rows);
	}

	#arm(): void {
		this.#cancelTimer ??= this.#clock.after(WRITE_AFTER_MS, () => void this.save());
	}
}
