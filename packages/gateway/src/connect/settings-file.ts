import {
	existsSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { EditError } from "./edit.ts";

const LARGEST = 8 * 1024 * 1024;

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

/**
 * Writes a settings file atomically, through links, and keeps its mode; only the owner can read a new one, because it
 * contains a key. Returns the outermost folder that had to be created.
 */
export function writeSettingsFile(file: string, text: string): string | undefined {
	const madeFolder = mkdirSync(dirname(file), { recursive: true });
	const target = existsSync(file) ? realpathSync(file) : file;
	const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600;
	const draft = `${target}.${process.pid}.tmp`;
	try {
		writeFileSync(draft, text, { mode, flag: "wx" });
		renameSync(draft, target);
	} finally {
		rmSync(draft, { force: true });
	}
	return madeFolder;
}

/** Removes a settings file, and the folders that were created for it if they are empty. */
export function removeSettingsFile(file: string, madeFolder: string | undefined): void {
	rmSync(file, { force: true });
	if (madeFolder === undefined) return;
	for (let folder = dirname(file); folder.startsWith(madeFolder); folder = dirname(folder)) {
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
