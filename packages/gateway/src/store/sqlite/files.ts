import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { unusedAsideName } from "../aside.ts";
import { StoreUnavailableError } from "../errors.ts";

/**
 * Creates the folder and an empty file that only their owner can open; SQLite gives its side files the file's mode. An
 * existing folder keeps its mode: it may be shared on purpose, and the file is closed to others anyway. In such a
 * folder somebody else could have put a link, so links are not followed.
 */
export function preparePrivateFile(file: string): void {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	// In this order: a file that another process is just creating has no journal yet.
	if (existsSync(`${file}-wal`) && !holdsSomething(file)) moveAside(file);
	try {
		// An existing file is never opened here: closing a second descriptor would drop SQLite's locks on it.
		closeSync(openSync(file, "wx", 0o600));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		if (lstatSync(file).isSymbolicLink()) throw new StoreUnavailableError(`${file} is a symbolic link`);
		for (const existing of [file, `${file}-wal`, `${file}-shm`].filter((name) => existsSync(name))) {
			chmodSync(existing, 0o600);
		}
	}
}

/**
 * Renames a damaged file and its side files, and returns the new name. The side files go first: a journal that stays
 * behind would be applied to the next file with that name, even if the file itself is gone.
 */
export function moveAside(file: string): string {
	const target = unusedAsideName(file);
	for (const suffix of ["-wal", "-shm", ""]) {
		if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
	}
	return target;
}

/** Whether the file has content. A file that was truncated to nothing opens like a new one. */
export function holdsSomething(file: string): boolean {
	try {
		return statSync(file).size > 0;
	} catch {
		return false;
	}
}
