// A24: files of the gateway under any umask, and where somebody else was there first.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	chownSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { BUNDLED_PROGRAM } from "../kit/bundled-program.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";

const OTHERS = 0o077;
const NOBODY = 65_534;
const PROGRAM = process.env[BUNDLED_PROGRAM]!;
const isRoot = process.getuid?.() === 0;

/** Everything in a folder that others could open, with its mode. */
function openToOthers(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((name) => [name, lstatSync(join(folder, name)).mode & 0o777] as const)
		.filter(([, mode]) => (mode & OTHERS) !== 0)
		.map(([name, mode]) => `${name} ${mode.toString(8)}`);
}

/** Runs the gateway under a umask, has one question answered, looks at its files while it runs, and ends it. */
async function serveUnder(umask: string, dataDir: string): Promise<{ found: string[]; files: string[] }> {
	const emulator = await startEmulator({ brain: "echo" });
	onTestFinished(() => emulator.close());
	const args = ["serve", "--port", "0", "--json", "--upstream", emulator.url, "--record", join(dataDir, "recordings")];
	const child = spawn("sh", ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, PROGRAM, ...args], {
		env: { PATH: process.env.PATH, HOME: "/nonexistent", CURSOR_API_KEY: "key_test", CURSORWIRE_DATA_DIR: dataDir },
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	child.stderr.resume();
	const [line] = await once(child.stdout, "data");
	const { url, key } = JSON.parse(String(line));
	const answer = await fetch(`${url}/v1/chat/completions`, {
		method: "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		body: JSON.stringify({ model: "composer-1", messages: [{ role: "user", content: "hello" }] }),
	});
	expect(answer.status).toBe(200);
	const seen = { found: openToOthers(dataDir), files: readdirSync(dataDir) };
	const ended = once(child, "exit");
	child.kill("SIGTERM");
	await ended;
	return seen;
}

describe("A24: files of a gateway", () => {
	it.each(["000", "022", "077"])("are closed to others under umask %s", async (umask) => {
		const dataDir = join(temporaryFolder(), "data");
		const { found, files } = await serveUnder(umask, dataDir);
		expect(files).toEqual(expect.arrayContaining(["gateway-key", "gateway.json", "cursorwire.db", "recordings"]));
		expect(found).toEqual([]);
		expect(lstatSync(dataDir).mode & 0o777).toBe(0o700);
	});

	it("are not written through a link that was there first", async () => {
		const folder = temporaryFolder();
		const dataDir = join(folder, "data");
		mkdirSync(dataDir, { mode: 0o700 });
		const target = join(folder, "target");
		writeFileSync(target, "of somebody else");
		symlinkSync(target, join(dataDir, "gateway-key"));
		const { code, err } = await runProgram(["serve", "--port", "0", "--json"], { CURSORWIRE_DATA_DIR: dataDir });
		expect(code).not.toBe(0);
		expect(err).toContain("symbolic link");
		expect(readFileSync(target, "utf8")).toBe("of somebody else");
	});

	it("do not take a draft that somebody else has put there", async () => {
		const dataDir = join(temporaryFolder(), "data");
		mkdirSync(dataDir, { mode: 0o700 });
		const target = join(dataDir, "..", "target");
		// The discovery file's draft has a name that can be guessed.
		for (let pid = process.pid; pid < process.pid + 2000; pid++)
			symlinkSync(target, join(dataDir, `gateway.json.${pid}.tmp`));
		const { files } = await serveUnder("000", dataDir);
		expect(files).toContain("gateway.json");
		expect(existsSync(target)).toBe(false);
	});

	it.runIf(isRoot)("are not read from a key file of another user", async () => {
		const dataDir = join(temporaryFolder(), "data");
		mkdirSync(dataDir, { mode: 0o700 });
		const file = join(dataDir, "gateway-key");
		writeFileSync(file, `cw_${"a".repeat(43)}\n`);
		chmodSync(file, 0o600);
		chownSync(file, NOBODY, NOBODY);
		const { code, err } = await runProgram(["serve", "--port", "0", "--json"], { CURSORWIRE_DATA_DIR: dataDir });
		expect(code).not.toBe(0);
		expect(err).toContain("another user");
	});
});
