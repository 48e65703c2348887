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

/** The text of a settings file; undefined where there is none. Only what can be written back to the byte is taken. */
export function readSettingsFile(file: string): string | undefined {
	let bytes: Buffer;
	try {
		const status = statSync(file);
		if (!status.isFile() || status.size > LARGEST) throw new EditError(`${file} is no settings file`);
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
 * Writes a settings file in one piece, through links, with the mode it had; a new one is for its owner alone, as there
 * is a key in it. Returns the outermost folder that had to be made.
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

/** Removes a settings file, and the folders that were made for it as far as they are empty. */
export function removeSettingsFile(file: string, madeFolder: string | undefined): void {
	rmSync(file, { force: true });
	if (madeFolder === undefined) return;
	for (let folder = dirname(file); folder.startsWith(madeFolder); folder = dirname(folder)) {
		try {
			rmdirSync(folder);
		} catch {
			// Somebody else put something there.
			return;
		}
	}
}

/** Whether other users of the machine can read a file. */
export function isOpenToOthers(file: string): boolean {
	return process.platform !== "win32" && (statSync(file).mode & 0o044) !== 0;
}
