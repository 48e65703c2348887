import { lstatSync } from "node:fs";

/** A free name next to a damaged file, to keep it under. */
export function unusedAsideName(file: string): string {
	let number = 1;
	while (keptAt(`${file}.corrupt-${number}`) !== undefined) number++;
	return `${file}.corrupt-${number}`;
}

/** The file that was put aside last, and when; undefined if there is none. */
export function lastAside(file: string): { path: string; at: number } | undefined {
	let newest: { path: string; at: number } | undefined;
	for (let number = 1; ; number++) {
		const path = `${file}.corrupt-${number}`;
		const at = keptAt(path);
		if (at === undefined) return newest;
		if (!newest || at > newest.at) newest = { path, at };
	}
}

/** When a file, or only its journal, was put aside under this name. Only renaming changes this time. */
function keptAt(path: string): number | undefined {
	for (const name of [path, `${path}-wal`]) {
		const status = lstatSync(name, { throwIfNoEntry: false });
		if (status) return status.ctimeMs;
	}
	return undefined;
}
