import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { AnswerSchema, type Calibration, DroppedSchema } from "./answers.ts";
import { QUESTION_IDS } from "./questions.ts";

const known = <T extends z.ZodType>(schema: T) => z.partialRecord(z.enum(QUESTION_IDS), schema).catch({});
/** What is known about the server of one account. Unknown questions are left out. */
export const CalibrationSchema = z.object({
	clientVersion: z.string(),
	answers: known(AnswerSchema),
	dropped: known(DroppedSchema),
});
const FileSchema = z.object({ version: z.literal(1), entries: z.record(z.string(), CalibrationSchema) });

const MOST_ENTRIES = 16;

/**
 * `calibration.json` in the data folder: what is known about the server, per upstream and account. A process that has
 * it open sees what another process writes. Without it the gateway uses its defaults, so a missing or damaged file is
 * never an error.
 */
export class AnswerFile {
	readonly #path: string;
	readonly #upstream: string;
	#entries: Record<string, Calibration> = {};
	#stamp = "";

	constructor(dataDir: string, upstream: string) {
		this.#path = join(dataDir, "calibration.json");
		this.#upstream = upstream;
	}

	read(account: string): Calibration | undefined {
		this.#refresh();
		return this.#entries[this.#owner(account)];
	}

	/** Returns whether the file could be written. */
	write(account: string, calibration: Calibration): boolean {
		this.#refresh();
		const owner = this.#owner(account);
		const others = Object.entries(this.#entries).filter(([other]) => other !== owner);
		this.#entries = { [owner]: calibration, ...Object.fromEntries(others.slice(0, MOST_ENTRIES - 1)) };
		return this.#store();
	}

	/** Called when an account is signed out, or when a new login may belong to another account. */
	forget(account: string): void {
		this.#refresh();
		const owner = this.#owner(account);
		if (!(owner in this.#entries)) return;
		this.#entries = Object.fromEntries(Object.entries(this.#entries).filter(([other]) => other !== owner));
		this.#store();
	}

	#owner(account: string): string {
		return `${this.#upstream} ${account}`;
	}

	/** Reads the file again if it has changed since the last read. */
	#refresh(): void {
		const stamp = stampOf(this.#path);
		if (stamp === this.#stamp) return;
		this.#stamp = stamp;
		this.#entries = entriesOf(this.#path);
	}

	#store(): boolean {
		const draft = `${this.#path}.${process.pid}.tmp`;
		try {
			mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
			writeFileSync(draft, `${JSON.stringify({ version: 1, entries: this.#entries }, undefined, "\t")}\n`, {
				mode: 0o600,
			});
			renameSync(draft, this.#path);
			this.#stamp = stampOf(this.#path);
			return true;
		} catch {
			rmSync(draft, { force: true });
			return false;
		}
	}
}

function stampOf(path: string): string {
	const status = statSync(path, { throwIfNoEntry: false });
	return status ? `${status.ino} ${status.mtimeMs} ${status.size}` : "";
}

function entriesOf(path: string): Record<string, Calibration> {
	try {
		return FileSchema.parse(JSON.parse(readFileSync(path, "utf8"))).entries;
	} catch {
		return {};
	}
}
