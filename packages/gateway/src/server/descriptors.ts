import { readFileSync } from "node:fs";

/** Reserved for files, the database and connections to Cursor. */
const KEPT_BACK = 40;
const FEWEST = 8;

/** How many connections may be open at once if the system allows this many open files. */
export function connectionsFor(openFiles: number, most: number): number {
	// Only half of the rest: half as many connections again may be open just to get an error (see ConnectionRoom).
	return Math.max(FEWEST, Math.min(most, Math.floor((openFiles - KEPT_BACK) / 2)));
}

/** How many files this process may have open. Infinity if the system does not say. */
export function openFilesLimit(read = () => readFileSync("/proc/self/limits", "utf8")): number {
	try {
		return Number(/^Max open files\s+(\d+)/m.exec(read())?.[1] ?? Number.POSITIVE_INFINITY);
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
