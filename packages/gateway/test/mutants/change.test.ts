// However a run of mutants ends, the program is as it was.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../kit/program.ts";

const CHANGE = new URL("../../../../scripts/mutants/change.mjs", import.meta.url).href;
const ORIGINAL = "const is = right; // $& stays\n";

/** A folder with a program in it, and what it is now. */
function setUp() {
	const folder = temporaryFolder();
	mkdirSync(join(folder, "src"));
	const file = join(folder, "src/a.ts");
	writeFileSync(file, ORIGINAL);
	const leftovers = () => readdirSync(join(folder, ".cache/mutants"));
	return { folder, leftovers, text: () => readFileSync(file, "utf8") };
}

/** Runs a script in the folder, in a process group of its own; `changed` when it has told so. */
async function run(folder: string, body: string) {
	const script = `import { spawnSync } from "node:child_process";
		import { readFileSync } from "node:fs";
		import { restoreLeftovers, withMutant } from ${JSON.stringify(CHANGE)};
		const mutant = { file: "src/a.ts", find: "right", replace: "$& wrong" };
		const wait = () => spawnSync("sh", ["-c", "echo changed; exec sleep 60"], { stdio: "inherit" });
		${body}`;
	const child = spawn(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, detached: true });
	let out = "";
	child.stdout.on("data", (chunk) => (out += chunk));
	child.stderr.on("data", (chunk) => (out += chunk));
	const ended = once(child, "exit").then(() => out);
	return { child, ended, changed: () => Promise.race([once(child.stdout, "data"), ended]) };
}

it("is changed while the test runs, and then no more", async () => {
	const { folder, leftovers, text } = setUp();
	const { ended } = await run(folder, `console.log(withMutant(mutant, () => readFileSync("src/a.ts", "utf8")));`);
	expect(await ended).toContain("const is = $& wrong; // $& stays");
	expect(text()).toBe(ORIGINAL);
	expect(leftovers()).toEqual([]);
});

it("is put back when the test run fails", async () => {
	const { folder, text } = setUp();
	const { ended } = await run(folder, `withMutant(mutant, () => { throw new Error("no"); });`);
	expect(await ended).toContain("Error: no");
	expect(text()).toBe(ORIGINAL);
});

it.each(["SIGINT", "SIGTERM"] as const)("is put back after %s", async (signal) => {
	const { folder, leftovers, text } = setUp();
	const { child, ended, changed } = await run(folder, "withMutant(mutant, wait);");
	await changed();
	expect(text()).toContain("wrong");
	process.kill(-child.pid!, signal);
	await ended;
	expect(text()).toBe(ORIGINAL);
	expect(leftovers()).toEqual([]);
});

it("is put back by the next run when the process was killed", async () => {
	const { folder, leftovers, text } = setUp();
	const { child, ended, changed } = await run(folder, "withMutant(mutant, wait);");
	await changed();
	process.kill(-child.pid!, "SIGKILL");
	await ended;
	expect(text()).toContain("wrong");
	expect(await (await run(folder, "restoreLeftovers();")).ended).toContain("restored src/a.ts");
	expect(text()).toBe(ORIGINAL);
	expect(leftovers()).toEqual([]);
});
