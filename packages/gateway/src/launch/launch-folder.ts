import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AliveSignal, aliveAddress, isShownAlive, showAlive } from "./alive-signal.ts";

/** In the folder of a launch: where its process shows that it is alive. */
const ADDRESS = "address";
/** The age from which a folder without an address is taken for one whose process died before it could write it. */
const STALE_MS = 10 * 60_000;

/** Below the data folder, where nobody else can read. */
export const launchFoldersIn = (dataDir: string): string => join(dataDir, "launch");

/** What a launch needs on the disk: settings of the client, and the sign that it still goes on. */
export class LaunchFolder {
	/** The id of the launch. */
	readonly name: string;
	readonly path: string;
	readonly #alive: AliveSignal;

	private constructor(name: string, path: string, alive: AliveSignal) {
		this.name = name;
		this.path = path;
		this.#alive = alive;
	}

	/** `name` is the id of the launch's key, so that whoever finds the folder knows which key to revoke. */
	static async make(dataDir: string, name: string): Promise<LaunchFolder> {
		const path = join(launchFoldersIn(dataDir), name);
		mkdirSync(path, { recursive: true, mode: 0o700 });
		const address = aliveAddress(path, name);
		const alive = await showAlive(address);
		writeFileSync(join(path, ADDRESS), address, { mode: 0o600 });
		return new LaunchFolder(name, path, alive);
	}

	write(files: Readonly<Record<string, string>>): void {
		for (const [file, text] of Object.entries(files)) {
			mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
			writeFileSync(file, text, { mode: 0o600, flag: "wx" });
		}
	}

	remove(): void {
		this.#alive.close();
		removeLaunchFolder(this.path);
	}
}

/** The folders of launches whose process was killed. Their names are the ids of their keys. */
export async function leftLaunchFolders(dataDir: string, now: number): Promise<{ name: string; path: string }[]> {
	const parent = launchFoldersIn(dataDir);
	const folders = namesIn(parent).map((name) => ({ name, path: join(parent, name) }));
	const isLeft = await Promise.all(folders.map(({ path }) => wasLeft(path, now)));
	return folders.filter((_, index) => isLeft[index]);
}

export function removeLaunchFolder(path: string): void {
	rmSync(path, { recursive: true, force: true, maxRetries: 3 });
	try {
		rmdirSync(dirname(path));
	} catch {
		// Another launch has its folder there.
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
		// It may be that of a launch that begins right now.
		const status = statSync(path, { throwIfNoEntry: false });
		return status !== undefined && now - status.mtimeMs > STALE_MS;
	}
}
