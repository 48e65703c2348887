import path from "node:path";

/** Where a program is looked for. */
export interface Search {
	platform: NodeJS.Platform;
	env: Readonly<Record<string, string | undefined>>;
	home: string;
	/** The Node that runs this program. */
	execPath: string;
}

export interface Disk {
	/** Whether there is a file that may be started. */
	isProgram(file: string): boolean;
	/** Undefined for a file that cannot be read. */
	text(file: string): string | undefined;
}

/** What can be started without a shell. */
export interface Program {
	file: string;
	/** Before all other arguments. */
	args: readonly string[];
}

/** It is there, but only a shell could start it. */
export interface Unstartable {
	batchFile: string;
}

/** Installers of clients put programs here, and not every shell has them on its PATH. */
const OTHER_FOLDERS = [".local/bin", ".claude/local", ".opencode/bin"];
const ENDINGS = [".exe", ".com", ".cmd", ".bat"];

/** The program that a shell would start by this name or path. Undefined: there is none. */
export function findProgram(name: string, search: Search, disk: Disk): Program | Unstartable | undefined {
	const { platform } = search;
	const found = candidates(name, search).find((file) => disk.isProgram(file));
	if (found === undefined) return undefined;
	if (platform !== "win32" || !/\.(?:cmd|bat)$/i.test(found)) return { file: found, args: [] };
	return behindShim(found, search, disk) ?? { batchFile: found };
}

function candidates(name: string, search: Search): string[] {
	const { join } = pathsOf(search);
	const isPath = /[\\/]/.test(name) && (search.platform === "win32" || name.includes("/"));
	const bare = isPath ? [name] : folders(search).map((folder) => join(folder, name));
	if (search.platform !== "win32") return bare;
	const hasEnding = ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
	return hasEnding ? bare : bare.flatMap((file) => ENDINGS.map((ending) => `${file}${ending}`));
}

function folders(search: Search): string[] {
	const { env, home, platform } = search;
	const { delimiter, join } = pathsOf(search);
	const name = Object.keys(env).find((each) => (platform === "win32" ? each.toUpperCase() : each) === "PATH");
	const listed = (env[name ?? ""] ?? "").split(delimiter).filter((folder) => folder !== "");
	return [...listed, ...OTHER_FOLDERS.map((folder) => join(home, folder))];
}

const pathsOf = ({ platform }: Search): path.PlatformPath => (platform === "win32" ? path.win32 : path.posix);

/** The last line of the batch files that npm and pnpm put in place of links: `"%_prog%" -x "%dp0%\…\cli.js" %*`. */
const SHIM_TARGET = /((?:\s-[\w=.-]+)*)\s+"%~?dp0%?[\\/]([^"%]+)"\s+%\*/g;

/**
 * What such a batch file starts, so that no shell has to be asked: cmd.exe would read the arguments once more, and
 * carry out what is in them.
 */
function behindShim(shim: string, search: Search, disk: Disk): Program | undefined {
	const { dirname, join } = pathsOf(search);
	const [, options = "", target] = [...(disk.text(shim) ?? "").matchAll(SHIM_TARGET)].at(-1) ?? [];
	if (target === undefined) return undefined;
	const file = join(dirname(shim), target);
	if (/\.exe$/i.test(target)) return { file, args: [] };
	if (!/\.[cm]?js$/i.test(target)) return undefined;
	const nodes = [join(dirname(shim), "node.exe"), ...candidates("node.exe", search)];
	const node = nodes.find((each) => disk.isProgram(each)) ?? search.execPath;
	return { file: node, args: [...options.split(/\s+/).filter((option) => option !== ""), file] };
}
