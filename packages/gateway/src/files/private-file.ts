import { constants, type Stats } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { storageFailed, unusable } from "./storage-error.ts";

// Files and folders that nobody else may read, such as credentials.

const OTHERS = 0o077;
/** Undefined on Windows, where the access list of the profile folder takes the place of owner and mode. */
const ownUid = () => process.getuid?.();

/** Creates the folder (0700), or checks that it is a real folder that belongs to us and is closed to others. */
export async function ensurePrivateFolder(path: string): Promise<void> {
	try {
		const made = await mkdir(path, { recursive: true, mode: 0o700 });
		// The umask may have removed bits that we need ourselves.
		if (made !== undefined) await chmod(path, 0o700);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw storageFailed("made", path, cause);
	}
	await requirePrivateFolder(path);
}

/** Checks a folder. One that does not exist is accepted. */
export async function requirePrivateFolder(path: string): Promise<void> {
	const status = await statusOf(path);
	if (status !== undefined) requirePrivate(path, status, "folder");
}

/** The text of a file that only we can have written and nobody else can read. Undefined if there is no file. */
export async function readPrivateFile(path: string, maxBytes: number): Promise<string | undefined> {
	const file = await openExisting(path);
	if (file === undefined) return undefined;
	try {
		// Checks the open file, so that the file that is read is the one that was checked.
		const status = await file.stat();
		requirePrivate(path, status, "file");
		if (status.size > maxBytes) throw unusable(`${path} is too large to be a credential.`, REPLACE);
		return await file.readFile("utf8");
	} finally {
		await file.close();
	}
}

/** Creates a file (0600). Fails if the name exists already, also as a symbolic link. */
export async function createPrivateFile(path: string): Promise<FileHandle> {
	const file = await open(path, CREATE, 0o600);
	await file.chmod(0o600);
	return file;
}

/** Writes from the start of the file. A single `write` may write only a part, as on a disk that is nearly full. */
export async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
	for (let at = 0; at < bytes.length; ) {
		at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
	}
}

/** Refuses to replace what is not a plain file of our own. Its mode does not matter, as the new file gets its own. */
export async function requireReplaceable(path: string): Promise<void> {
	const status = await statusOf(path);
	if (status !== undefined) requireOwnPlain(path, status, "file");
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const CREATE = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | NO_FOLLOW;
const REPLACE = "Run `cursorwire login` to replace it.";

async function statusOf(path: string): Promise<Stats | undefined> {
	try {
		return await lstat(path);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw storageFailed("read", path, cause);
	}
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
	try {
		// Non-blocking, so that a pipe in place of the file cannot make us hang.
		return await open(path, constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0));
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === "ENOENT" || code === "ENOTDIR") return undefined;
		if (code === "ELOOP") throw unusable(`${path} is a symbolic link.`, removeHint(path));
		throw storageFailed("read", path, cause);
	}
}

function requirePrivate(path: string, status: Stats, type: "file" | "folder"): void {
	requireOwnPlain(path, status, type);
	if (ownUid() === undefined || (status.mode & OTHERS) === 0) return;
	const mode = (status.mode & 0o777).toString(8);
	const right = type === "file" ? "600" : "700";
	throw unusable(`${path} is open to other users (mode ${mode}).`, `Run \`chmod ${right} ${path}\`.`);
}

function requireOwnPlain(path: string, status: Stats, type: "file" | "folder"): void {
	if (status.isSymbolicLink()) throw unusable(`${path} is a symbolic link.`, removeHint(path));
	const isRight = type === "file" ? status.isFile() : status.isDirectory();
	if (!isRight) throw unusable(`${path} is not a plain ${type}.`, removeHint(path));
	const uid = ownUid();
	if (uid !== undefined && status.uid !== uid) {
		throw unusable(`${path} belongs to another user (uid ${status.uid}).`, removeHint(path));
	}
}

function removeHint(path: string): string {
	return `Remove ${path} and run \`cursorwire login\`.`;
}
