import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { StoreUnavailableError } from "../errors.ts";

/**
 * Makes the folder and an empty file that only their owner can open; SQLite gives its side files the mode of the file.
 * A folder that exists keeps its mode: it may be shared on purpose, and the file is closed to others all the same.
 * In such a folder a link could have been laid by someone else, so links are not followed.
 */
export function preparePrivateFile(file: string): void {
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	try {
		// Never opened when it exists: closing a second descriptor would drop SQLite's locks on it.
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
 * Renames a damaged file and its side files, and tells the new name. The side files go first: a journal left behind
 * would be played into the next file of that name.
 */
export function moveAside(file: string): string {
	let number = 1;
	while (existsSync(`${file}.corrupt-${number}`)) number++;
	const target = `${file}.corrupt-${number}`;
	for (const suffix of ["-wal", "-shm", ""]) {
		if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
	}
	return target;
}
