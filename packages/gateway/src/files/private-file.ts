import { constants, type Stats } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { storageFailed, unusable } from "./storage-error.ts";

const OTHERS = 0o077;
/** Undefined on Windows, where the profile folder's access list does the job of owner and mode. */
const ownUid = () => process.getuid?.();

/** Makes the folder (0700) or makes sure that it is a real one, ours, and closed to others. */
export async function ensurePrivateFolder(path: string): Promise<void> {
	try {
		const made = await mkdir(path, { recursive: true, mode: 0o700 });
		// A umask can only take bits away, which would lock ourselves out.
		if (made !== undefined) await chmod(path, 0o700);
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw storageFailed("made", path, cause);
	}
	await requirePrivateFolder(path);
}

/** A folder that is not there is no reason to complain. */
export async function requirePrivateFolder(path: string): Promise<void> {
	const status = await statusOf(path);
	if (status !== undefined) requirePrivate(path, status, "folder");
}

/** The text of a file that only we can have written and nobody else can read; undefined where there is none. */
export async function readPrivateFile(path: string, maxBytes: number): Promise<string | undefined> {
	const file = await openExisting(path);
	if (file === undefined) return undefined;
	try {
		// On the open file: what was checked is what is read.
		const status = await file.stat();
		requirePrivate(path, status, "file");
		if (status.size > maxBytes) throw unusable(`${path} is too large to be a credential.`, REPLACE);
		return await file.readFile("utf8");
	} finally {
		await file.close();
	}
}

/** A new file (0600), never one that is there already and never through a link. */
export async function createPrivateFile(path: string): Promise<FileHandle> {
	const file = await open(path, CREATE, 0o600);
	await file.chmod(0o600);
	return file;
}

/** Writes from the start of the file. One call of `write` may take less than all, as on a disk that is nearly full. */
export async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
	for (let at = 0; at < bytes.length; ) {
		at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
	}
}

/** Refuses to replace what is not a plain file of our own. Other modes are no obstacle: the new file has the right ones. */
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
		// Not blocking: a pipe in the place of the file must not hang us.
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
