import {
	accessSync,
	chmodSync,
	chownSync,
	constants,
	existsSync,
	lstatSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmdirSync,
	rmSync,
	type Stats,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import type { Places } from "../config/places.ts";
import type { SettingsFile } from "./client.ts";
import { EditError } from "./edit.ts";

const LARGEST = 8 * 1024 * 1024;

/** Where a client's settings are, or would be. */
export function settingsPath({ files }: SettingsFile, places: Places): string {
	const paths = files(places);
	return paths.find((path) => existsSync(path)) ?? paths[0]!;
}

/** The text of a settings file; undefined if there is none. Refuses a file that could not be written back unchanged. */
export function readSettingsFile(file: string): string | undefined {
	let bytes: Buffer;
	try {
		const status = statSync(file);
		if (!status.isFile() || status.size > LARGEST) throw new EditError(`${file} is not a settings file`);
		bytes = readFileSync(file);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
	const text = bytes.toString("utf8");
	if (!Buffer.from(text, "utf8").equals(bytes)) throw new EditError(`${file} is not UTF-8; convert it first`);
	return text;
}

/** Throws if a file could not be written: a read-only one stays as it is, even for those who may replace it. */
export function checkWritable(file: string): void {
	const target = targetOf(file);
	const via = target === file ? "" : ` (${file} is a link to it)`;
	const status = statSync(target, { throwIfNoEntry: false });
	if (!status) return;
	if ((status.mode & 0o200) === 0 || !mayWrite(target)) {
		throw new EditError(`${target} is read-only${via}; make it writable, or add what --print shows by hand`);
	}
	// The new content is written beside the file and then takes its place.
	if (!mayWrite(dirname(target)))
		throw new EditError(`the folder ${dirname(target)} is read-only${via}; make it writable first`);
}

function mayWrite(path: string): boolean {
	try {
		accessSync(path, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/** Where a file really is; also for a link to a file that does not exist yet. */
function targetOf(file: string): string {
	let target = file;
	for (let links = 0; links < MOST_LINKS && isLink(target); links++) {
		target = resolve(dirname(target), readlinkSync(target));
	}
	return target;
}

/** As in Linux. */
const MOST_LINKS = 40;

const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/**
 * Writes a settings file atomically, through links, and keeps its mode and owner; only the owner can read a new one,
 * because it contains a key. Returns the outermost folder that had to be created.
 */
export function writeSettingsFile(file: string, text: string): string | undefined {
	const target = targetOf(file);
	const madeFolder = mkdirSync(dirname(target), { recursive: true });
	const status = existsSync(target) ? statSync(target) : undefined;
	const draft = `${target}.${process.pid}.tmp`;
	try {
		writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
		if (status && !keepOwner(draft, status)) writeFileSync(target, text);
		else {
			if (status) chmodSync(draft, status.mode & 0o7777);
			renameSync(draft, target);
		}
	} finally {
		rmSync(draft, { force: true });
	}
	return madeFolder;
}

/** False if the file belongs to somebody else, whom only the file itself can keep as its owner. */
function keepOwner(draft: string, { uid, gid }: Stats): boolean {
	const made = statSync(draft);
	if (made.uid === uid && made.gid === gid) return true;
	try {
		chownSync(draft, uid, gid);
		return true;
	} catch {
		return false;
	}
}

/** Removes a settings file, and the folders that were created for it if they are empty. */
export function removeSettingsFile(file: string, madeFolder: string | undefined): void {
	const target = targetOf(file);
	rmSync(target, { force: true });
	if (madeFolder === undefined) return;
	for (let folder = dirname(target); folder.startsWith(madeFolder); folder = dirname(folder)) {
		try {
			rmdirSync(folder);
		} catch {
			// Something else is in there.
			return;
		}
	}
}

/** Whether other users of the machine can read a file. */
export function isOpenToOthers(file: string): boolean {
	return process.platform !== "win32" && (statSync(file).mode & 0o044) !== 0;
}
