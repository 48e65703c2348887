import path from "node:path";

/** How this process was started, and where. */
export interface Start {
	platform: NodeJS.Platform;
	/** The script that Node runs. Undefined for the single executable, which is its own program. */
	script: string | undefined;
	execPath: string;
	/** Where the person is who started it. */
	folder: string;
	env: Readonly<Record<string, string | undefined>>;
}

/** What is looked up on the disk. Both give undefined for a file that does not exist or cannot be read. */
export interface Disk {
	realPath(file: string): string | undefined;
	text(file: string): string | undefined;
}

const NAME = "cursorwire";
const BY_NPX = `npx ${NAME}`;
/** In the small programs that npm on Windows, and pnpm everywhere, put in place of links. */
const SHIM_TARGET = /"(?:%~?dp0%?|\$basedir)[\\/]([^"]+\.mjs)"/;

/** What to type to start this program again: the shortest form that leads to it and not to another installation. */
export function programName(start: Start, disk: Disk): string {
	const { script, execPath, folder } = start;
	const own = script ?? execPath;
	const leadsHere = (place: string) => place !== "" && leadsTo(own, place, start, disk);
	// The shell takes the first one that it finds, even if that is another installation.
	const first = pathFolders(start).find((each) => filesIn(each, start).some((file) => disk.realPath(file)));
	if (first !== undefined && leadsHere(first)) return NAME;
	if (script === undefined) return quoted(execPath, start.platform);
	if (isInNpxCache(script)) return BY_NPX;
	const local = parents(folder, start).map((each) => pathsOf(start).join(each, "node_modules", ".bin"));
	return local.some(leadsHere) ? BY_NPX : `node ${quoted(script, start.platform)}`;
}

function pathsOf({ platform }: Start): path.PlatformPath {
	return platform === "win32" ? path.win32 : path.posix;
}

/** The folders of PATH, without those that npm adds for the time of a script. */
function pathFolders(start: Start): string[] {
	const { env } = start;
	const name = Object.keys(env).find((each) => (start.platform === "win32" ? each.toUpperCase() : each) === "PATH");
	const folders = (env[name ?? ""] ?? "").split(pathsOf(start).delimiter).filter((folder) => folder !== "");
	const byNpm = env.npm_execpath !== undefined || env.npm_lifecycle_event !== undefined;
	return byNpm ? folders.filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder)) : folders;
}

/** The files of a folder that the shell would start by this name. */
function filesIn(folder: string, start: Start): string[] {
	const endings = start.platform === "win32" ? [".exe", ".cmd"] : [""];
	return endings.map((ending) => pathsOf(start).join(folder, `${NAME}${ending}`));
}

function leadsTo(own: string, folder: string, start: Start, disk: Disk): boolean {
	const { platform } = start;
	const same = (file: string | undefined) => (platform === "win32" ? file?.toLowerCase() : file);
	const real = (file: string) => same(disk.realPath(file));
	const goal = real(own) ?? same(own);
	const found = filesIn(folder, start).find((file) => disk.realPath(file) !== undefined);
	if (found === undefined) return false;
	if (real(found) === goal) return true;
	// An executable is no shim, and too large to read.
	if (start.script === undefined) return false;
	const target = SHIM_TARGET.exec(disk.text(found) ?? "")?.[1];
	return target !== undefined && real(pathsOf(start).join(folder, target)) === goal;
}

function isInNpxCache(script: string): boolean {
	return script.split(/[\\/]/).includes("_npx");
}

function parents(folder: string, start: Start): string[] {
	const above = pathsOf(start).dirname(folder);
	return above === folder ? [folder] : [folder, ...parents(above, start)];
}

function quoted(file: string, platform: NodeJS.Platform): string {
	if (platform === "win32") return /^[\w.:\\/~+@-]+$/.test(file) ? file : `"${file}"`;
	return /^[\w.:/~+@,%=-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
