import { closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";

/** The file cannot be trusted or used; the message says what to do. */
export class PrivateFileError extends Error {
	override readonly name = "PrivateFileError";
}

// Not through a link, and not waiting for the other end of a pipe.
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const TO_READ = constants.O_RDONLY | CAREFULLY;
export const TO_APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | CAREFULLY;

/** A plain file of our own that nobody else can write, open; undefined where there is none to read. */
export function openPrivate(file: string, flags: number): number | undefined {
	let descriptor: number;
	try {
		descriptor = openSync(file, flags, 0o600);
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		if (flags === TO_READ && (code === "ENOENT" || code === "ENOTDIR")) return undefined;
		throw new PrivateFileError(code === "ELOOP" ? `${file} is a symbolic link. Remove it.` : `${file}: ${message}`);
	}
	try {
		requireOwn(file, descriptor, fstatSync(descriptor));
		return descriptor;
	} catch (error) {
		closeSync(descriptor);
		throw error;
	}
}

function requireOwn(file: string, descriptor: number, status: Stats): void {
	if (!status.isFile()) throw new PrivateFileError(`${file} is not a plain file. Remove it.`);
	const uid = process.getuid?.();
	if (uid === undefined) return;
	if (status.uid !== uid) throw new PrivateFileError(`${file} belongs to another user. Remove it.`);
	if ((status.mode & 0o022) !== 0) {
		throw new PrivateFileError(
			`${file} can be written by other users. Look through it, then run \`chmod 600 ${file}\`.`,
		);
	}
	// What others could only read is still what we wrote.
	if ((status.mode & 0o077) !== 0) fchmodSync(descriptor, 0o600);
}

export interface WholeFile {
	text: string;
	/** Tells this file from one that took its name later. */
	identity: string;
	/** Differs when the file is another one, longer, or open to others. */
	version: string;
}

/** What the file holds, unless it is still of the version that is known; undefined where there is none. */
export function readWhole(file: string, most: number, known?: string): WholeFile | "unchanged" | undefined {
	if (known !== undefined && versionAt(file) === known) return "unchanged";
	const descriptor = openPrivate(file, TO_READ);
	if (descriptor === undefined) return undefined;
	try {
		const version = versionOf(fstatSync(descriptor, { bigint: true }));
		if (fstatSync(descriptor).size > most) throw new PrivateFileError(`${file} is too large. Move it away.`);
		return { text: readFileSync(descriptor, "utf8"), identity: identityOf(descriptor), version };
	} finally {
		closeSync(descriptor);
	}
}

export function identityOf(descriptor: number): string {
	const { dev, ino } = fstatSync(descriptor, { bigint: true });
	return `${dev}:${ino}`;
}

/** Undefined where there is no such file. */
export function identityAt(file: string): string | undefined {
	const status = statSync(file, { bigint: true, throwIfNoEntry: false });
	return status && `${status.dev}:${status.ino}`;
}

function versionAt(file: string): string | undefined {
	const status = statSync(file, { bigint: true, throwIfNoEntry: false });
	return status && versionOf(status);
}

const versionOf = ({ dev, ino, size, ctimeNs }: { dev: bigint; ino: bigint; size: bigint; ctimeNs: bigint }): string =>
	`${dev}:${ino}:${size}:${ctimeNs}`;
