import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { engineProblems } from "../../../../scripts/dependencies/engines.mjs";
// @ts-expect-error: a script without types
import * as lock from "../../../../scripts/dependencies/lock.mjs";
import { temporaryFolder } from "../kit/program.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PUBLISHED = ["packages/emulator", "packages/gateway", "packages/opencode"];
const HASH = `sha512-${"A".repeat(86)}==`;
const entry = (changes: object = {}) => ({ version: "1.0.0", integrity: HASH, license: "MIT", ...changes });

describe("D1: the lock", () => {
	it("of this project is as it has to be", () => {
		expect(lock.lockProblems(lock.readLock(ROOT))).toEqual([]);
	});

	it("names few dependencies that users get, native ones prebuilt and no others for one system", () => {
		expect(lock.directDependencies(ROOT, PUBLISHED).length).toBeLessThanOrEqual(16);
		const entries: [string, { os?: string[]; cpu?: string[]; hasInstallScript?: boolean }][] = lock.runTimeEntries(
			lock.readLock(ROOT),
		);
		const native = entries.filter(([, { os, cpu }]) => os || cpu).map(([path]) => path);
		expect(native.length).toBeGreaterThan(0);
		for (const path of native) expect(path).toMatch(/^node_modules\/(@libsql\/|libsql$|@napi-rs\/keyring-)/);
		expect(entries.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
	});

	it.each([
		["no hash", { "node_modules/a": entry({ integrity: undefined }) }, /no SHA-512/],
		["a weak hash", { "node_modules/a": entry({ integrity: "sha1-abc" }) }, /no SHA-512/],
		["no version", { "node_modules/a": entry({ version: undefined }) }, /no version/],
		[
			"a host",
			{ "node_modules/a": entry({ resolved: "https://u:secret@registry.example/a.tgz" }) },
			/registry\.example/,
		],
		["an install script", { "node_modules/a": entry({ hasInstallScript: true }) }, /install script/],
		[
			"two versions of zod",
			{ "node_modules/zod": entry(), "node_modules/a/node_modules/zod": entry({ version: "2.0.0" }) },
			/zod is there in 2 versions/,
		],
	])("is refused with %s", (_what, packages, problem) => {
		const problems: string[] = lock.lockProblems(packages);
		expect(problems).toEqual([expect.stringMatching(problem)]);
		expect(problems[0]).not.toContain("secret");
	});

	it("may have install scripts and second versions for development, which run nothing and reach nobody", () => {
		const packages = {
			"node_modules/zod": entry(),
			"node_modules/tool": entry({ dev: true, hasInstallScript: true }),
			"node_modules/tool/node_modules/zod": entry({ dev: true, version: "2.0.0" }),
		};
		expect(lock.lockProblems(packages)).toEqual([]);
	});
});

describe("the engines of all packages", () => {
	it("in the lock include every Node version that we support, so that npm warns about none", () => {
		expect(engineProblems(lock.readLock(ROOT))).toEqual([]);
	});

	it.each(["^22.18.0 || >=24.11.0", ">=21", "^20.19.0 || >=24"])("are refused where one is %s", (node) => {
		const problems: string[] = engineProblems({ "node_modules/a": entry({ engines: { node } }) });
		expect(problems).toEqual([expect.stringContaining(`node_modules/a 1.0.0 needs Node ${node}`)]);
	});
});

describe("D1: what is installed", () => {
	it("here is what the lock names", () => {
		expect(lock.installProblems(ROOT)).toEqual([]);
	});

	/** A project with one package, installed as told. */
	function project({ locked = {}, hidden = {}, manifest = {}, folders = ["a"] } = {}): string {
		const root = temporaryFolder();
		const write = (path: string, value: unknown) => {
			mkdirSync(join(root, path, ".."), { recursive: true });
			writeFileSync(join(root, path), JSON.stringify(value));
		};
		write("package-lock.json", { packages: { "node_modules/a": entry(locked) } });
		write("node_modules/.package-lock.json", { packages: { "node_modules/a": entry(hidden) } });
		for (const folder of folders) {
			write(`node_modules/${folder}/package.json`, { name: "a", version: "1.0.0", ...manifest });
		}
		return root;
	}

	it.each([
		["another version", { hidden: { version: "1.0.1" }, manifest: { version: "1.0.1" } }, /not what the lock names/],
		["another content", { hidden: { integrity: `sha512-${"B".repeat(86)}==` } }, /not what the lock names/],
		["another version than npm wrote down", { manifest: { version: "6.6.6" } }, /says it is a 6\.6\.6/],
		["another package under its name", { manifest: { name: "evil" } }, /says it is evil/],
		["nothing in its place", { folders: [] as string[] }, /has no package\.json/],
		["something put there by hand", { folders: ["a", "b"] }, /b was put there by hand/],
	])("is refused with %s", (_what, options, problem) => {
		expect(lock.installProblems(project())).toEqual([]);
		const problems: string[] = lock.installProblems(project(options));
		expect(problems.length).toBeGreaterThan(0);
		expect(problems.join("\n")).toMatch(problem);
	});
});

describe("an installation", () => {
	const before = { "": { name: "root" }, "node_modules/a": entry() };

	it("may leave the lock alone, or add packages of other systems and what they need", () => {
		expect(lock.changeProblems(before, before, before)).toEqual([]);
		const added = {
			...before,
			"node_modules/a-wasm": entry({ optional: true, cpu: ["wasm32"] }),
			"node_modules/a-wasm/node_modules/runtime": entry({ optional: true }),
		};
		expect(lock.changeProblems(before, added, before)).toEqual([]);
	});

	it.each([
		["a change of version", { "node_modules/a": entry({ version: "1.0.1" }) }, /from 1\.0\.0 to 1\.0\.1/],
		["a change of content", { "node_modules/a": entry({ integrity: "sha512-x" }) }, /a went/],
		["a new package", { "node_modules/a": entry(), "node_modules/b": entry() }, /b 1\.0\.0 is new/],
		[
			"a new optional package that is installed here",
			{ "node_modules/a": entry(), "node_modules/b": entry({ optional: true }) },
			/new/,
		],
		["a package less", {}, /a has gone/],
	])("is refused with %s", (_what, after, problem) => {
		const changed = { "": before[""], ...after };
		expect(lock.changeProblems(before, changed, changed)).toEqual([expect.stringMatching(problem)]);
	});
});
