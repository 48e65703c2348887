import { readFileSync } from "node:fs";

/** Files, the database and connections to Cursor need descriptors as well. */
const KEPT_BACK = 40;
const FEWEST = 8;

/** How many connections there may be at once where the system allows so many open files. */
export function connectionsFor(openFiles: number, most: number): number {
	// Half of the rest, as there may be half as many again that are only told that there is no room.
	return Math.max(FEWEST, Math.min(most, Math.floor((openFiles - KEPT_BACK) / 2)));
}

/** How many files this process may have open; no limit where the system does not say. */
export function openFilesLimit(read = () => readFileSync("/proc/self/limits", "utf8")): number {
	try {
		return Number(/^Max open files\s+(\d+)/m.exec(read())?.[1] ?? Number.POSITIVE_INFINITY);
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}
