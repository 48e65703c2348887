import { describe, expect, it } from "vitest";
import { type Disk, findProgram, type Search } from "./find-program.ts";

const diskOf = (files: Record<string, string>): Disk => ({
	isProgram: (file) => Object.hasOwn(files, file),
	text: (file) => files[file],
});

const unix: Search = {
	platform: "linux",
	env: { PATH: "/usr/local/bin::/usr/bin" },
	home: "/home/ada",
	execPath: "/usr/bin/node",
};
const NPM = "C:\\Users\\Ada\\npm";
const windows: Search = {
	platform: "win32",
	env: { Path: `C:\\Windows;${NPM}` },
	home: "C:\\Users\\Ada",
	execPath: "C:\\node\\node.exe",
};

describe("on Linux and macOS", () => {
	it.each([
		["the first one on the PATH", "codex", ["/usr/bin/codex", "/usr/local/bin/codex"], "/usr/local/bin/codex"],
		["one that is installed elsewhere", "claude", ["/home/ada/.claude/local/claude"], "/home/ada/.claude/local/claude"],
		["a path", "./run me", ["./run me"], "./run me"],
	])("finds %s", (_, name, files, file) => {
		const disk = diskOf(Object.fromEntries(files.map((each) => [each, ""])));
		expect(findProgram(name, unix, disk)).toEqual({ file, args: [] });
	});

	it("finds nothing where nothing is", () => {
		expect(findProgram("codex", unix, diskOf({}))).toBeUndefined();
		expect(findProgram("codex", { ...unix, env: {} }, diskOf({ "/usr/bin/codex": "" }))).toBeUndefined();
	});
});

const SHIM = (last: string) => `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0

IF EXIST "%dp0%\\node.exe" (
  SET "_prog=%dp0%\\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & ${last}
`;
const CLI = "node_modules\\@openai\\codex\\bin\\codex.js";

describe("on Windows", () => {
	it.each<[string, Record<string, string>, object]>([
		["a program", { [`${NPM}\\codex.exe`]: "", [`${NPM}\\codex.cmd`]: "" }, { file: `${NPM}\\codex.exe`, args: [] }],
		[
			"npm's batch file, with the Node beside it",
			{ [`${NPM}\\codex.cmd`]: SHIM(`"%_prog%"  "%dp0%\\${CLI}" %*`), [`${NPM}\\node.exe`]: "" },
			{ file: `${NPM}\\node.exe`, args: [`${NPM}\\${CLI}`] },
		],
		[
			"npm's batch file, with options of Node",
			{ [`${NPM}\\codex.cmd`]: SHIM(`"%_prog%" --no-warnings=x -r "%dp0%\\${CLI}" %*`), "C:\\Windows\\node.exe": "" },
			{ file: "C:\\Windows\\node.exe", args: ["--no-warnings=x", "-r", `${NPM}\\${CLI}`] },
		],
		[
			"npm's batch file for a program",
			{ [`${NPM}\\codex.cmd`]: SHIM(`"%dp0%\\node_modules\\codex\\codex.exe"   %*`) },
			{ file: `${NPM}\\node_modules\\codex\\codex.exe`, args: [] },
		],
		[
			"pnpm's batch file, without a Node on the PATH",
			{ [`${NPM}\\codex.cmd`]: `  node  "%~dp0\\..\\store\\codex.mjs" %*\r\n` },
			{ file: "C:\\node\\node.exe", args: ["C:\\Users\\Ada\\store\\codex.mjs"] },
		],
		["another batch file", { [`${NPM}\\codex.cmd`]: "echo %*" }, { batchFile: `${NPM}\\codex.cmd` }],
		[
			"a batch file for no script of Node",
			{ [`${NPM}\\codex.bat`]: '"%~dp0\\x.py" %*' },
			{ batchFile: `${NPM}\\codex.bat` },
		],
	])("finds %s", (_, files, found) => {
		expect(findProgram("codex", windows, diskOf(files))).toEqual(found);
	});

	it("takes a path with an ending as it is", () => {
		expect(findProgram("C:\\x\\run.exe", windows, diskOf({ "C:\\x\\run.exe": "" }))).toEqual({
			file: "C:\\x\\run.exe",
			args: [],
		});
	});
});
