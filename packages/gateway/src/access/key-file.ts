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

// The store only has hashes, yet `cursorwire keys` has to show the owner's key and `cursorwire connect` has to write it
// into the settings of clients. So that key is also kept in readable form: in a file that only its owner can open, and
// not in the database, which gets copied, attached to bug reports and shared through Redis.

/** The file cannot be trusted or used. The message says what to do. */
export class KeyFileError extends Error {
	override readonly name = "KeyFileError";
}

export interface GatewayKey {
	key: string;
	/** Whether it was generated just now, so the user has to be shown it. */
	isNew: boolean;
	/** Why it could not be written to its file. It is then only valid until the gateway stops. */
	problem?: string;
}

const LONGEST = 1024;

export const keyFileIn = (dataDir: string): string => join(dataDir, "gateway-key");

/** The owner's key, read from its file or else generated and written there. Afterwards it is valid in `ring`. */
export async function ensureGatewayKey(dataDir: string, ring: KeyRing, random: Random): Promise<GatewayKey> {
	const file = keyFileIn(dataDir);
	const existing = readKeyFile(file);
	const record = existing && (await ring.lookUp(existing));
	if (existing && !(record && record.revokedAt !== undefined)) {
		// The ring does not know the key after the database was lost. The file proves that it was ours.
		if (!record) await ring.add("default", { key: existing });
		return { key: existing, isNew: false };
	}
	const made = makeKey(random);
	try {
		const key = writePrivateText(file, made, { former: existing, random, present: () => readKeyFile(file) });
		await ring.add("default", { key });
		return { key, isNew: key === made };
	} catch (error) {
		if (!isSystemError(error)) throw error;
		await ring.add("default", { key: made });
		return { key: made, isNew: true, problem: `${file} cannot be written: ${error.message}` };
	}
}

const REMEDY = "Remove it, and a new key will be generated.";

/** The key in the file, or undefined if there is none. */
export function readKeyFile(file: string): string | undefined {
	const text = readPrivateText(file, REMEDY) || undefined;
	if (text !== undefined && !isGatewayKey(text)) throw new KeyFileError(`${file} holds no gateway key. ${REMEDY}`);
	return text;
}

/** The text of a file that only its owner can read; undefined if there is no file. `remedy` ends every error text. */
export function readPrivateText(file: string, remedy: string): string | undefined {
	let descriptor: number;
	try {
		// Does not follow a symbolic link, and does not wait for the other end of a pipe.
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
	if (!status.isFile() || status.size > LONGEST) return "is not a key file";
	const uid = process.getuid?.();
	if (uid === undefined) return undefined;
	if (status.uid !== uid) return "belongs to another user";
	return (status.mode & 0o077) === 0 ? undefined : `can be read by other users (\`chmod 600 ${file}\` changes that)`;
}

interface PrivateTextOptions {
	/** What the file held before and may no longer hold. */
	former?: string | undefined;
	/** What it holds now. */
	present(): string | undefined;
	random: Random;
}

/** Writes a key atomically and returns what the file then holds: another process may have been faster. */
export function writePrivateText(file: string, key: string, { former, present, random }: PrivateTextOptions): string {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	const draft = `${file}.${Buffer.from(random(8)).toString("hex")}.tmp`;
	try {
		writeWhole(draft, `${key}\n`);
		return putInPlace(draft, file, former, present) ?? key;
	} finally {
		// If the disk was full, this removes half a key.
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

/** Returns the key of another process if that was faster. */
function putInPlace(
	draft: string,
	file: string,
	former: string | undefined,
	read: () => string | undefined,
): string | undefined {
	try {
		// Unlike a rename, creating a link fails if the file exists.
		linkSync(draft, file);
		return undefined;
	} catch (error) {
		// Other errors: some file systems do not support hard links.
		const present = (error as NodeJS.ErrnoException).code === "EEXIST" ? read() : undefined;
		if (present && present !== former) return present;
		renameSync(draft, file);
		return undefined;
	}
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
	return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
}
