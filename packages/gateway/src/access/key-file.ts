import {
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	linkSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	type Stats,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { KeyRing } from "./key-ring.ts";
import { isGatewayKey, makeKey, type Random } from "./keys.ts";

// The store has hashes only, yet `cursorwire keys` has to show the key, and `cursorwire connect` has to write it into
// the settings of clients. So the owner's key is kept readable as well: in a file of its own that only its owner can
// open, and not in the database, which is copied, mailed with bug reports and shared through Redis.

/** The file cannot be trusted or used; the message says what to do. */
export class KeyFileError extends Error {
	override readonly name = "KeyFileError";
}

export interface GatewayKey {
	key: string;
	/** It was made just now, and has to be shown. */
	isNew: boolean;
	/** Why it could not be written down: it is valid for this run only. */
	problem?: string;
}

const LONGEST = 1024;

export const keyFileIn = (dataDir: string): string => join(dataDir, "gateway-key");

/** The owner's key: from its file, or made and written there. It is valid in `ring` afterwards. */
export async function ensureGatewayKey(dataDir: string, ring: KeyRing, random: Random): Promise<GatewayKey> {
	const file = keyFileIn(dataDir);
	const existing = readKeyFile(file);
	const record = existing && (await ring.lookUp(existing));
	if (existing && !(record && record.revokedAt !== undefined)) {
		// Unknown after the database was lost: the file proves that the key was ours.
		if (!record) await ring.add("default", { key: existing });
		return { key: existing, isNew: false };
	}
	const made = makeKey(random);
	try {
		const key = writeKeyFile(file, made, { former: existing, random });
		await ring.add("default", { key });
		return { key, isNew: key === made };
	} catch (error) {
		if (!isSystemError(error)) throw error;
		await ring.add("default", { key: made });
		return { key: made, isNew: true, problem: `${file} cannot be written: ${error.message}` };
	}
}

const REMEDY = "Remove it, and a new key is made.";

/** The key in the file; undefined where there is none. */
export function readKeyFile(file: string): string | undefined {
	const text = readPrivateText(file, REMEDY) || undefined;
	if (text !== undefined && !isGatewayKey(text)) throw new KeyFileError(`${file} holds no gateway key. ${REMEDY}`);
	return text;
}

/** What a file holds that is its owner's alone; undefined where there is none. `remedy` goes with each refusal. */
export function readPrivateText(file: string, remedy: string): string | undefined {
	let descriptor: number;
	try {
		// Not through a link, and not waiting for the other end of a pipe.
		descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") return undefined;
		throw new KeyFileError(code === "ELOOP" ? `${file} is a symbolic link. ${remedy}` : `${file}: ${message}`);
	}
	try {
		const problem = problemOf(file, fstatSync(descriptor));
		if (problem) throw new KeyFileError(`${file} ${problem}. ${remedy}`);
		return readFileSync(descriptor, "utf8").trim();
	} finally {
		closeSync(descriptor);
	}
}

function problemOf(file: string, status: Stats): string | undefined {
	if (!status.isFile() || status.size > LONGEST) return "is no key file";
	const uid = process.getuid?.();
	if (uid === undefined) return undefined;
	if (status.uid !== uid) return "belongs to another user";
	return (status.mode & 0o077) === 0 ? undefined : `can be read by other users (\`chmod 600 ${file}\` changes that)`;
}

/** Writes the key in one piece and returns what the file holds then: another process may have been faster. */
function writeKeyFile(file: string, key: string, { former, random }: { former?: string; random: Random }): string {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const draft = `${file}.${Buffer.from(random(8)).toString("hex")}.tmp`;
	try {
		writeWhole(draft, `${key}\n`);
		return putInPlace(draft, file, former) ?? key;
	} finally {
		// Also where the disk was full: half a key is of no use to anyone.
		rmSync(draft, { force: true });
	}
}

function writeWhole(draft: string, text: string): void {
	const descriptor = openSync(draft, "wx", 0o600);
	try {
		writeFileSync(descriptor, text);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

/** Returns the key of another process that was faster, where there is one. */
function putInPlace(draft: string, file: string, former: string | undefined): string | undefined {
	try {
		// A link, unlike a rename, fails where the file exists.
		linkSync(draft, file);
		return undefined;
	} catch (error) {
		// Some file systems know no links at all.
		const present = (error as NodeJS.ErrnoException).code === "EEXIST" ? readKeyFile(file) : undefined;
		if (present && present !== former) return present;
		renameSync(draft, file);
		return undefined;
	}
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
	return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
}
