// What the tests need beyond Node: it is known before they run, installed where it may be, and otherwise skipped.
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { TOOLS } from "../../../../scripts/tools/table.mjs";
// @ts-expect-error: a script without types
import { neededTools, readTestSources } from "../../../../scripts/tools/test-files.mjs";
import { temporaryFolder } from "../kit/program.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const SCRIPTS = join(ROOT, "scripts");
const sources: Map<string, string> = readTestSources(ROOT);

type Needed = { package: string; files: string[] }[];
const filesFor = (name: string, needed: Needed) => needed.find((tool) => tool.package === name)?.files;

describe("the tools that test files need", () => {
	it("are found where a file starts one itself, and through everything that it imports", () => {
		const needed: Needed = neededTools("test", [], sources);
		expect(filesFor("strace", needed)).toEqual(["packages/gateway/test/security/built-in-requests.test.ts"]);
		expect(filesFor("git", needed)).toEqual(["packages/gateway/test/docs/pre-commit.test.ts"]);
		expect(filesFor("chromium", needed)).toContain("packages/gateway/test/security/web-pages.test.ts");
		const withRedis = filesFor("redis-server", needed);
		expect(withRedis).toContain("packages/gateway/test/store/model.test.ts");
		expect(withRedis).not.toContain("packages/gateway/test/store/crash.test.ts");
	});

	it("are only those of the selected files", () => {
		const needed: Needed = neededTools("test", ["security/web-pages"], sources);
		expect(needed.map((tool) => tool.package)).toEqual(["chromium"]);
		expect(neededTools("pack", [], sources)).toEqual([]);
	});

	/** Essential in Debian, part of Node, our own, or (systemd-analyze) used only where it is. */
	const ALWAYS_THERE = new Set(
		[
			...["sh", "bash", "cat", "chmod", "mkfifo", "mount", "umount", "unshare", "prlimit", "script", "tar"],
			...["cp", "which", "cursorwire"],
			...["node", "npm", "npx", "systemd-analyze"],
		].flatMap((name) => [name, `/bin/${name}`]),
	);

	it("are all in the table", () => {
		const known = new Set<string>(TOOLS.flatMap(({ commands }: { commands: string[] }) => commands));
		const started = [...sources].flatMap(([file, text]) =>
			[...text.matchAll(/\b(?:spawn|spawnSync|execSync|execFile|execFileSync)\)?\(\s*["'`]([^"'`$ ]+)/g)].map(
				([, name]) => ({
					file,
					name,
				}),
			),
		);
		expect(started.length).toBeGreaterThan(20);
		const unknown = started.filter(({ name }) => !known.has(name!) && !ALWAYS_THERE.has(name!));
		expect(unknown, "add a row to scripts/tools/table.mjs").toEqual([]);
	});
});

/** A script in a process of its own, which finds only these commands. */
function run(script: string, folder: string, env: Record<string, string> = {}) {
	const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
		cwd: ROOT,
		encoding: "utf8",
		env: { PATH: folder, HOME: folder, NO_COLOR: "1", ...env },
	});
	return { status, out: stdout + stderr, last: stdout.trim().split("\n").slice(-2) };
}

describe("a run without a tool that it needs", () => {
	const TEST_RUN = `import { printTotal, runVitest } from ${JSON.stringify(join(SCRIPTS, "run-vitest.mjs"))};
		printTotal(runVitest("test", ["security/built-in-requests"]));`;
	const SKIPPED = "1 test file skipped: strace is not installed (apt-get install strace)";

	/** A PATH with Node alone; vitest is started through env. */
	function pathWithoutTools(): string {
		const folder = temporaryFolder();
		symlinkSync(process.execPath, join(folder, "node"));
		return folder;
	}

	it.each([
		["skips the files, and says so before the line that counts", "skip", 0],
		["fails where CI requires everything", "require", 1],
	])("%s", (_title, way, failed) => {
		const { status, last, out } = run(TEST_RUN, pathWithoutTools(), { CURSORWIRE_TEST_TOOLS: way });
		expect(last, out).toEqual([SKIPPED, `0 passed, ${failed} failed`]);
		expect(status).toBe(failed);
	});
});

describe("a tool that is missing", () => {
	const PROVIDE = `import { provideTools } from ${JSON.stringify(join(SCRIPTS, "tools/provide.mjs"))};
		const tool = (name) => ({ package: name + "-package", commands: [name] });
		console.log(JSON.stringify(provideTools([tool("here"), tool("wanted")]).map((tool) => tool.package)));`;

	/** An apt-get that notes how it was called and then installs, or not. */
	function withAptGet(installs: string): string {
		const folder = temporaryFolder();
		const program = (name: string, lines: string) =>
			writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
		program("here", "");
		program("apt-get", `echo "$@" >> '${folder}/calls'\n${installs}`);
		return folder;
	}
	/** Puts the command beside itself. */
	const INSTALL = '[ "$2" = install ] && /bin/cp "$0" "$(/usr/bin/dirname "$0")/wanted"; exit 0';
	const callsIn = (folder: string) => readFileSync(join(folder, "calls"), "utf8");

	it.runIf(process.getuid?.() === 0)("is installed with apt-get, after one line that says so", () => {
		const folder = withAptGet(INSTALL);
		const { last, out } = run(PROVIDE, folder);
		expect(last, out).toEqual([expect.stringContaining("The tests need wanted-package: installing"), "[]"]);
		expect(callsIn(folder)).toMatch(/^-qq update\n-qq install -y --no-install-recommends .*wanted-package\n$/);
	});

	it.runIf(process.getuid?.() === 0)("stays missing where apt-get fails, and what it said is printed", () => {
		const { last, out } = run(PROVIDE, withAptGet("echo no network; exit 100"));
		expect(out).toContain("apt-get update failed:\nno network");
		expect(last.at(-1)).toBe('["wanted-package"]');
	});

	it("stays missing where installing is forbidden", () => {
		const folder = withAptGet("exit 0");
		expect(run(PROVIDE, folder, { CURSORWIRE_TEST_TOOLS: "skip" }).last).toEqual(['["wanted-package"]']);
		expect(() => callsIn(folder)).toThrow("ENOENT");
	});

	it("needs a known way to deal with it", () => {
		const { status, out } = run(PROVIDE, withAptGet("exit 0"), { CURSORWIRE_TEST_TOOLS: "maybe" });
		expect(status).not.toBe(0);
		expect(out).toContain("CURSORWIRE_TEST_TOOLS is maybe; it can be install, skip, require");
	});
});

it("CI requires every tool, and leaves installing them to the table", () => {
	const script = readFileSync(join(ROOT, ".ci/run"), "utf8");
	expect(script).toContain("export CURSORWIRE_TEST_TOOLS=require");
	expect(script).not.toContain("apt-get");
});
