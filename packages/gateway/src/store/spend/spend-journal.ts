import { closeSync, fsyncSync, writeSync } from "node:fs";
import { OwnFileError, openOwnFile, readWhole, TO_APPEND } from "../../files/own-file.ts";
import { mergeLimits, missingLimits, type SpendLimit } from "./spend-limit.ts";

// A second copy of the owner's limits beside the store. Without it a store that cannot be read, or that was lost, would
// let everything through. Lines are only ever appended, each with one whole limit, and the newest of a limit counts; so
// several processes need no lock, and a line that a crash tore is passed over.

/** Room for about ten thousand changes. */
const LARGEST = 4 * 1024 * 1024;

export class SpendJournal {
	readonly #file: string;
	readonly #warn: (message: string) => void;
	#known: SpendLimit[] = [];
	#seen: string | undefined;
	#problem: string | undefined;

	constructor({ file, warn }: { file: string; warn: (message: string) => void }) {
		this.#file = file;
		this.#warn = warn;
	}

	/** All limits in the file, or those that were in it when it could last be read. */
	read(): readonly SpendLimit[] {
		this.#attempt(() => this.#load());
		return this.#known;
	}

	/** Appends what is not in the file yet. */
	add(limits: readonly SpendLimit[]): void {
		this.#attempt(() => {
			this.#load();
			const missing = missingLimits(this.#known, limits);
			if (missing.length === 0) return;
			const descriptor = openOwnFile(this.#file, TO_APPEND)!;
			try {
				writeSync(descriptor, missing.map((limit) => `\n${JSON.stringify(limit)}`).join(""));
				fsyncSync(descriptor);
			} finally {
				closeSync(descriptor);
			}
			this.#load();
		});
	}

	#load(): void {
		const file = readWhole(this.#file, LARGEST, this.#seen);
		if (file === "unchanged") return;
		this.#known = mergeLimits((file?.text ?? "").split("\n").flatMap(parse));
		this.#seen = file?.version;
	}

	#attempt(work: () => void): void {
		try {
			work();
			this.#problem = undefined;
		} catch (error) {
			const { message, syscall } = error as NodeJS.ErrnoException;
			if (!(error instanceof OwnFileError) && syscall === undefined) throw error;
			if (message !== this.#problem) this.#warn(`The second copy of the limits cannot be used. ${message}`);
			this.#problem = message;
		}
	}
}

function parse(line: string): SpendLimit[] {
	try {
		const limit = JSON.parse(line) as SpendLimit;
		return typeof limit.id === "string" && typeof limit.changedAt === "number" ? [limit] : [];
	} catch {
		return [];
	}
}
