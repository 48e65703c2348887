import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const WRITABLE_BY_OTHERS = 0o022;
/** Files are written under such a name and then renamed; one that is this old was left behind by a process that died. */
const DRAFT = /\.(?:\d+|[0-9a-f]{16})\.tmp$/;
const STALE_MS = 10 * 60_000;

/**
 * Makes the data folder, and removes what processes that died in the middle of a write have left in it. Returns why the
 * folder must not be used, where other users could change what is in it: they could put a database or a key of their
 * own in the place of ours. A folder that cannot be made or read is no reason: the gateway then runs in memory.
 */
export function prepareDataFolder(folder: string, now: number): string | undefined {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const refusal = refusalOf(folder);
		if (refusal) return refusal;
		for (const name of readdirSync(folder)) if (DRAFT.test(name)) removeStale(join(folder, name), now);
	} catch {
		// Whoever needs the folder says so.
	}
	return undefined;
}

function refusalOf(folder: string): string | undefined {
	// On Windows the access list of the profile folder does the job of the mode.
	if (process.getuid === undefined) return undefined;
	const mode = statSync(folder).mode & 0o777;
	if ((mode & WRITABLE_BY_OTHERS) === 0) return undefined;
	return `Other users can change the data folder ${folder} (mode ${mode.toString(8)}). Run \`chmod 700 ${folder}\`, or choose a folder inside it with --data-dir.`;
}

function removeStale(file: string, now: number): void {
	if (now - statSync(file).mtimeMs > STALE_MS) rmSync(file, { force: true });
}
