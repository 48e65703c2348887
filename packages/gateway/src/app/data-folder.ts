import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const WRITABLE_BY_OTHERS = 0o022;
/** Files are first written under such a name and then renamed. An old one was left behind by a process that died. */
const DRAFT = /\.(?:\d+|[0-9a-f]{16})\.tmp$/;
const STALE_MS = 10 * 60_000;

/**
 * Creates the data folder and removes what processes that died during a write have left in it. Returns an error message
 * if the path is not that of a folder, or if other users can change the folder, because they could replace the database
 * or the key with their own. A folder that cannot be created or read is not an error: the gateway then runs in memory.
 */
export function prepareDataFolder(folder: string, now: number): string | undefined {
	const misnamed = misnamedDataFolder(folder);
	if (misnamed) return misnamed;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const refusal = refusalOf(folder);
		if (refusal) return refusal;
		for (const name of readdirSync(folder)) if (DRAFT.test(name)) removeStale(join(folder, name), now);
	} catch {
		// Whatever needs the folder reports the problem.
	}
	return undefined;
}

/** An error message if a file is where the folder should be: unlike a full disk, that does not mend itself. */
export function misnamedDataFolder(folder: string): string | undefined {
	const file = fileInPlaceOf(folder);
	if (file === undefined) return undefined;
	return `${folder} cannot be the data folder, because ${file} is not a folder; choose another with --data-dir or CURSORWIRE_DATA_DIR`;
}

/** The path itself or a part of it, if that exists and is not a folder. */
export function fileInPlaceOf(path: string): string | undefined {
	try {
		const status = statSync(path, { throwIfNoEntry: false });
		if (status) return status.isDirectory() ? undefined : path;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") return undefined;
	}
	const above = dirname(path);
	return above === path ? undefined : fileInPlaceOf(above);
}

function refusalOf(folder: string): string | undefined {
	// Windows has no mode; the access control list of the profile folder protects it.
	if (process.getuid === undefined) return undefined;
	const mode = statSync(folder).mode & 0o777;
	if ((mode & WRITABLE_BY_OTHERS) === 0) return undefined;
	return `Other users can change the data folder ${folder} (mode ${mode.toString(8)}). Run \`chmod 700 ${folder}\`, or choose a folder inside it with --data-dir.`;
}

function removeStale(file: string, now: number): void {
	if (now - statSync(file).mtimeMs > STALE_MS) rmSync(file, { force: true });
}
