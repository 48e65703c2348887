import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Server } from "node:net";
import { dirname, join } from "node:path";
import { aliveAddress, isShownAlive, showAlive } from "./alive-signal.ts";

/** In the folder of a run: where its process shows that it is alive. */
const ADDRESS = "address";
/** So old is a folder without an address at least whose process died before it could write one. */
const STALE_MS = 10 * 60_000;

/** Below the data folder, where nobody else can read. */
export const runFoldersIn = (dataDir: string): string => join(dataDir, "launch");

/** What a run needs on the disk: settings of the client, and the sign that it still goes on. */
export class RunFolder {
	readonly path: string;
	readonly #alive: Server;

	private constructor(path: string, alive: Server) {
		this.path = path;
		this.#alive = alive;
	}

	/** `name` is the id of the run's key, so that whoever finds the folder knows which key to revoke. */
	static async make(dataDir: string, name: string): Promise<RunFolder> {
		const path = join(runFoldersIn(dataDir), name);
		mkdirSync(path, { recursive: true, mode: 0o700 });
		const address = aliveAddress(path, name);
		const alive = await showAlive(address);
		writeFileSync(join(path, ADDRESS), address, { mode: 0o600 });
		return new RunFolder(path, alive);
	}

	write(files: Readonly<Record<string, string>>): void {
		for (const [file, text] of Object.entries(files)) {
			mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
			writeFileSync(file, text, { mode: 0o600, flag: "wx" });
		}
	}

	remove(): void {
		this.#alive.close();
		removeRunFolder(this.path);
	}
}

/** The folders of runs whose process was killed. Their names are the ids of their keys. */
export async function leftRunFolders(dataDir: string, now: number): Promise<{ name: string; path: string }[]> {
	const parent = runFoldersIn(dataDir);
	const folders = namesIn(parent).map((name) => ({ name, path: join(parent, name) }));
	const isLeft = await Promise.all(folders.map(({ path }) => wasLeft(path, now)));
	return folders.filter((_, index) => isLeft[index]);
}

export function removeRunFolder(path: string): void {
	rmSync(path, { recursive: true, force: true, maxRetries: 3 });
	try {
		rmdirSync(dirname(path));
	} catch {
		// Another run has its folder there.
	}
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

async function wasLeft(path: string, now: number): Promise<boolean> {
	try {
		return !(await isShownAlive(readFileSync(join(path, ADDRESS), "utf8")));
	} catch {
		// It may be that of a run that begins right now.
		const status = statSync(path, { throwIfNoEntry: false });
		return status !== undefined && now - status.mtimeMs > STALE_MS;
	}
}
