import { describe, expect, it } from "vitest";
import { type Disk, programName, type Start } from "./program-name.ts";

/** Files and what they lead to (themselves, another file, or the text of a shim). */
type Files = Record<string, { to?: string; text?: string }>;

function diskOf(files: Files, isWindows = false): Disk {
	const named = new Map(Object.entries(files).map(([name, file]) => [isWindows ? name.toLowerCase() : name, file]));
	const entry = (name: string) => named.get(isWindows ? name.toLowerCase() : name);
	return {
		realPath: (name) => entry(name) && (entry(name)!.to ?? name),
		text: (name) => entry(name)?.text,
	};
}

const CLONE = "/home/ada/cursorwire";
const SOURCE = `${CLONE}/packages/gateway/bin/cursorwire.mjs`;
const INSTALLED = "/usr/local/lib/node_modules/cursorwire/bin/cursorwire.mjs";
const CACHED = "/home/ada/.npm/_npx/0123456789abcdef/node_modules/cursorwire/bin/cursorwire.mjs";
const SHIM = "C:\\Users\\Ada\\AppData\\Roaming\\npm\\cursorwire.cmd";
const WINDOWS_SCRIPT = "C:\\Users\\Ada\\AppData\\Roaming\\npm\\node_modules\\cursorwire\\bin\\cursorwire.mjs";
const SHIM_TEXT = `"%_prog%"  "%dp0%\\node_modules\\cursorwire\\bin\\cursorwire.mjs" %*`;

const clone: Files = { [SOURCE]: {}, [`${CLONE}/node_modules/.bin/cursorwire`]: { to: SOURCE } };
const global: Files = { [INSTALLED]: {}, "/usr/local/bin/cursorwire": { to: INSTALLED } };
const unix: Start = {
	platform: "linux",
	script: INSTALLED,
	execPath: "/usr/bin/node",
	folder: "/home/ada",
	env: { PATH: "/usr/local/bin:/usr/bin" },
};
const windows: Start = {
	platform: "win32",
	script: WINDOWS_SCRIPT,
	execPath: "C:\\Program Files\\nodejs\\node.exe",
	folder: "C:\\Users\\Ada",
	env: { Path: "C:\\Windows;c:\\users\\ada\\appdata\\roaming\\NPM" },
};
const BY_NPM = { PATH: `${CLONE}/node_modules/.bin:/usr/bin`, npm_execpath: "/usr/lib/npm/bin/npm-cli.js" };

describe("the name of the program", () => {
	it.each<[string, Start, Files, string]>([
		["on the PATH", unix, global, "cursorwire"],
		["on the PATH, by its link", { ...unix, script: "/usr/local/bin/cursorwire" }, global, "cursorwire"],
		[
			"on the PATH, as a shim of pnpm",
			unix,
			{
				[INSTALLED]: {},
				"/usr/local/bin/cursorwire": { text: 'exec node "$basedir/../lib/node_modules/cursorwire/bin/cursorwire.mjs"' },
			},
			"cursorwire",
		],
		["npm start in a clone", { ...unix, script: SOURCE, folder: CLONE, env: BY_NPM }, clone, "npx cursorwire"],
		["a folder of a clone", { ...unix, script: SOURCE, folder: `${CLONE}/docs` }, clone, "npx cursorwire"],
		["npm --prefix from elsewhere", { ...unix, script: SOURCE, env: BY_NPM }, clone, `node ${SOURCE}`],
		[
			"a clone, beside a global installation",
			{ ...unix, script: SOURCE, folder: CLONE },
			{ ...clone, ...global },
			"npx cursorwire",
		],
		["a global installation, inside a clone", { ...unix, folder: CLONE }, { ...clone, ...global }, "cursorwire"],
		[
			"a folder of node_modules/.bin that the user has on the PATH",
			{ ...unix, script: SOURCE, env: { PATH: `${CLONE}/node_modules/.bin` } },
			clone,
			"cursorwire",
		],
		["the cache of npx", { ...unix, script: CACHED }, { [CACHED]: {} }, "npx cursorwire"],
		["a script anywhere", { ...unix, script: "/opt/it's/x y.mjs" }, {}, "node '/opt/it'\\''s/x y.mjs'"],
		["no PATH at all", { ...unix, env: {} }, global, `node ${INSTALLED}`],
		["the executable", { ...unix, script: undefined, execPath: "/opt/cursorwire" }, {}, "/opt/cursorwire"],
		["the executable, with a space", { ...unix, script: undefined, execPath: "/my opt/c" }, {}, "'/my opt/c'"],
		[
			"the executable, on the PATH",
			{ ...unix, script: undefined, execPath: "/opt/cursorwire", env: { PATH: "/opt" } },
			{ "/opt/cursorwire": {} },
			"cursorwire",
		],
		[
			"the executable, behind another one",
			{ ...unix, script: undefined, execPath: "/opt/cursorwire", env: { PATH: "/usr/local/bin:/opt" } },
			{ ...global, "/opt/cursorwire": {} },
			"/opt/cursorwire",
		],
		["Windows, global", windows, { [WINDOWS_SCRIPT]: {}, [SHIM]: { text: SHIM_TEXT } }, "cursorwire"],
		[
			"Windows, a project",
			{ ...windows, script: "C:\\p\\node_modules\\cursorwire\\bin\\cursorwire.mjs", folder: "c:\\P\\sub" },
			{
				"C:\\p\\node_modules\\cursorwire\\bin\\cursorwire.mjs": {},
				"C:\\p\\node_modules\\.bin\\cursorwire.cmd": { text: '"%dp0%\\..\\cursorwire\\bin\\cursorwire.mjs" %*' },
			},
			"npx cursorwire",
		],
		["Windows, a script", { ...windows, script: "C:\\my dir\\c.mjs" }, {}, 'node "C:\\my dir\\c.mjs"'],
		[
			"Windows, the executable",
			{ ...windows, script: undefined, execPath: "C:\\Tools\\cursorwire.exe" },
			{},
			"C:\\Tools\\cursorwire.exe",
		],
	])("%s", (_, start, files, name) => {
		expect(programName(start, diskOf(files, start.platform === "win32"))).toBe(name);
	});
});
