import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { identityAt, identityOf, OwnFileError, openOwnFile, readWhole, TO_APPEND } from "../../files/own-file.ts";
import { unusedAsideName } from "../aside.ts";
import type { StoredKey } from "../store.ts";
import { mergeKeys, missingKeys } from "./merge-keys.ts";

// A second copy of the keys beside the store: a lost key would lock a client out, a lost revocation let one in again.
//
// Lines are only ever appended, each in one write: several processes need no lock for that, and a crash can damage no
// more than the line that was being written. A line is a whole record with a line break before it, so that a torn line
// does not damage the next one. Records are never withdrawn (keys are only added and revoked), so neither the order of
// the lines nor duplicates matter.

/** A record without the time of its last use, which is not worth a write. */
const Line = z.object({
	id: z.string().min(1),
	name: z.string(),
	hash: z.string().regex(/^[0-9a-f]{64}$/),
	createdAt: z.number(),
	revokedAt: z.number().optional(),
	limits: z.looseObject({ concurrentTurns: z.number().int().positive().optional() }).optional(),
	// Any text: a key of a kind that this version does not know must not become one that can do more.
	kind: z.string().optional(),
});

/** Room for about twenty thousand keys. */
const LARGEST = 4 * 1024 * 1024;
const ATTEMPTS = 5;

export interface KeyJournalOptions {
	file: string;
	warn: (message: string) => void;
}

/** The file of keys. Its methods do not fail: if it cannot be used, `problem` says why. */
export class KeyJournal {
	readonly #file: string;
	readonly #warn: (message: string) => void;
	#known: StoredKey[] = [];
	#seen: string | undefined;
	#problem: string | undefined;
	/** What was warned of last, until the same thing works: a file that cannot be written may be readable in between. */
	#warned: { of: string; when: "reading" | "writing" } | undefined;
	#hasLost = false;

	constructor({ file, warn }: KeyJournalOptions) {
		this.#file = file;
		this.#warn = warn;
	}

	get problem(): string | undefined {
		return this.#problem;
	}

	/** Whether lines were found that could not be read. */
	get hasLost(): boolean {
		return this.#hasLost;
	}

	/** All records in the file, or those that were in it when it could last be read. */
	read(): readonly StoredKey[] {
		this.#attempt("reading", () => this.#load());
		return this.#known;
	}

	/** Appends what is not in the file yet. */
	add(records: readonly StoredKey[]): void {
		this.#attempt("writing", () => {
			this.#load();
			const missing = missingKeys(this.#known, records);
			if (missing.length === 0) return;
			this.#append(missing);
			this.#load();
		});
	}

	#attempt(when: "reading" | "writing", work: () => void): void {
		try {
			work();
			this.#problem = undefined;
			if (this.#warned?.when === when) this.#warned = undefined;
		} catch (error) {
			const { message, syscall } = error as NodeJS.ErrnoException;
			if (!(error instanceof OwnFileError) && syscall === undefined) throw error;
			const problem = error instanceof OwnFileError ? message : `${this.#file}: ${message}`;
			if (problem !== this.#warned?.of) this.#warn(`The second copy of the keys cannot be used. ${problem}`);
			this.#problem = problem;
			this.#warned = { of: problem, when };
		}
	}

	#load(): void {
		const file = readWhole(this.#file, LARGEST, this.#seen);
		if (file === "unchanged") return;
		const { records, unreadable } = parse(file?.text ?? "");
		this.#known = mergeKeys(records);
		this.#seen = file?.version;
		if (file && unreadable > 0) this.#startAnew(file.identity, unreadable);
	}

	/** Puts a file with unreadable lines aside, and replaces it with what could be read. */
	#startAnew(identity: string, unreadable: number): void {
		this.#hasLost = true;
		const draft = `${this.#file}.${process.pid}.tmp`;
		const aside = unusedAsideName(this.#file);
		try {
			// Before the file is touched: on a full disk it stays, because its readable lines still count.
			writeDraft(draft, toText(this.#known));
			// Another process may have done all this since.
			if (identityAt(this.#file) !== identity) return this.#load();
			renameSync(this.#file, aside);
			renameSync(draft, this.#file);
		} finally {
			rmSync(draft, { force: true });
		}
		this.#warn(`${this.#file} had ${unreadable} unreadable lines. It is kept as ${aside}, and a new one is made.`);
		// Adds what another process appended before the file was renamed.
		const former = readWhole(aside, LARGEST);
		const late = missingKeys(this.#known, former && former !== "unchanged" ? parse(former.text).records : []);
		if (late.length > 0) this.#append(late);
		this.#load();
	}

	#append(records: readonly StoredKey[]): void {
		const bytes = Buffer.from(toText(records));
		for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
			// The file was put aside in the meantime: write it again, into the new one.
			if (this.#write(bytes)) return;
		}
	}

	/** False: the name now belongs to another file. */
	#write(bytes: Buffer): boolean {
		const isNew = !existsSync(this.#file);
		const descriptor = openOwnFile(this.#file, TO_APPEND)!;
		try {
			// Never in two parts: another process could write between them.
			if (writeSync(descriptor, bytes) < bytes.length) throw new OwnFileError(`${this.#file}: the disk is full`);
			fsyncSync(descriptor);
			return identityOf(descriptor) === identityAt(this.#file);
		} finally {
			closeSync(descriptor);
			if (isNew) syncFolder(dirname(this.#file));
		}
	}
}

const toText = (records: readonly StoredKey[]): string =>
	records.map((record) => `\n${JSON.stringify(Line.parse(record))}`).join("");

function writeDraft(file: string, text: string): void {
	rmSync(file, { force: true });
	const descriptor = openSync(file, "wx", 0o600);
	try {
		writeFileSync(descriptor, text);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

function parse(text: string): { records: StoredKey[]; unreadable: number } {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const records = lines.flatMap((line) => {
		const record = Line.safeParse(parseJson(line));
		return record.success ? [record.data as StoredKey] : [];
	});
	return { records, unreadable: lines.length - records.length };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Makes a new name survive a power cut. Windows cannot open folders, and does not need this step. */
function syncFolder(folder: string): void {
	if (process.platform === "win32") return;
	const descriptor = openSync(folder, "r");
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
