import { closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";

// Files that only we may have written, opened synchronously. Others may have been able to read them: that is repaired,
// not refused. Files that nobody else may even read (credentials) are the matter of `private-file.ts`.

/** The file cannot be trusted or used; the message says what to do. */
export class OwnFileError extends Error {
	override readonly name = "OwnFileError";
}

// Does not follow a symbolic link, and does not wait for the other end of a pipe.
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const TO_READ = constants.O_RDONLY | CAREFULLY;
export const TO_APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | CAREFULLY;

/** Opens a plain file that belongs to us and that nobody else can write. Undefined if there is no file to read. */
export function openOwnFile(file: string, flags: number): number | undefined {
	let descriptor: number;
	try {
		descriptor = openSync(file, flags, 0o600);
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		if (flags === TO_READ && (code === "ENOENT" || code === "ENOTDIR")) return undefined;
		throw new OwnFileError(code === "ELOOP" ? `${file} is a symbolic link. Remove it.` : `${file}: ${message}`);
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
	if (!status.isFile()) throw new OwnFileError(`${file} is not a plain file. Remove it.`);
	const uid = process.getuid?.();
	if (uid === undefined) return;
	if (status.uid !== uid) throw new OwnFileError(`${file} belongs to another user. Remove it.`);
	if ((status.mode & 0o022) !== 0) {
		throw new OwnFileError(`${file} can be written by other users. Look through it, then run \`chmod 600 ${file}\`.`);
	}
	// Others could only read it, so the content is still ours.
	if ((status.mode & 0o077) !== 0) fchmodSync(descriptor, 0o600);
}

export interface WholeFile {
	text: string;
	/** Distinguishes this file from one that later takes its name. */
	identity: string;
	/** Changes when the file is replaced, grows, or gets other permissions. */
	version: string;
}

/** The content of the file, unless its version is still `known`. Undefined if there is no file. */
export function readWhole(file: string, most: number, known?: string): WholeFile | "unchanged" | undefined {
	if (known !== undefined && versionAt(file) === known) return "unchanged";
	const descriptor = openOwnFile(file, TO_READ);
	if (descriptor === undefined) return undefined;
	try {
		const version = versionOf(fstatSync(descriptor, { bigint: true }));
		if (fstatSync(descriptor).size > most) throw new OwnFileError(`${file} is too large. Move it away.`);
		return { text: readFileSync(descriptor, "utf8"), identity: identityOf(descriptor), version };
	} finally {
		closeSync(descriptor);
	}
}

export function identityOf(descriptor: number): string {
	const { dev, ino } = fstatSync(descriptor, { bigint: true });
	return `${dev}:${ino}`;
}

/** Undefined if there is no such file. */
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
