// A key of one's own: from the environment, from config.json or from a file, and never from the command line.
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { closing } from "../kit/cleanup.ts";
import { say } from "../kit/hostile/rig.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";

const KEY = "Zr7-own_key.of+24/letters=ok";

function keyFile(content: string, mode = 0o600): string {
	const file = join(temporaryFolder(), "key");
	writeFileSync(file, content, { mode });
	chmodSync(file, mode);
	return file;
}

/** Starts it so that it cannot start, and gives the one line that says why. */
async function refusalOf(flags: string[], env: Record<string, string> = {}): Promise<string> {
	const dataDir = temporaryFolder();
	const args = ["serve", "--port", "0", "--json", ...flags];
	const { code, out, err } = await runProgram(args, { CURSORWIRE_DATA_DIR: dataDir, ...env });
	expect({ code, out }).toEqual({ code: 2, out: "" });
	expect(err.trim().split("\n")).toHaveLength(1);
	return err;
}

describe("serve takes its key", () => {
	it.each([
		["a file that a flag names", () => ({ flags: ["--key-file", keyFile(`${KEY}\n`)], env: {} })],
		["a file that a variable names", () => ({ flags: [], env: { CURSORWIRE_KEY_FILE: keyFile(KEY) } })],
		["a variable", () => ({ flags: [], env: { CURSORWIRE_KEY: KEY } })],
		["config.json", () => ({ flags: [], env: { CURSORWIRE_CONFIG: keyFile(JSON.stringify({ key: KEY })) } })],
	])("from %s", async (_name, make) => {
		const emulator = closing(await startEmulator({ brain: "echo" }));
		const served = await serve({ upstream: emulator.url, dataDir: temporaryFolder(), ...make() });
		expect(served.key).toBe(KEY);
		expect((await served.ask(say("hello"))).status).toBe(200);
		const headers = { authorization: `Bearer ${KEY}x`, "content-type": "application/json" };
		expect((await served.ask(say("hello"), { headers })).status).toBe(401);
	});

	it("never from the command line, where everybody can read it", async () => {
		const said = await refusalOf(["--key", KEY]);
		for (const other of ["--key-file", "CURSORWIRE_KEY", "config.json"]) expect(said).toContain(other);
		expect(said).not.toContain(KEY);
	});

	it("only where it is not weak, and says how to make one that is not", async () => {
		const weak = [
			refusalOf([], { CURSORWIRE_KEY: "a" }),
			refusalOf([], { CURSORWIRE_KEY: "0123456789".repeat(4) }),
			refusalOf(["--key-file", keyFile("short")]),
		];
		for (const said of await Promise.all(weak)) expect(said).toContain("openssl rand -base64 32");
	});

	it("only from a file that its owner alone can read", async () => {
		const link = join(temporaryFolder(), "link");
		symlinkSync(keyFile(KEY), link);
		expect(await refusalOf(["--key-file", keyFile(KEY, 0o644)])).toContain("chmod 600");
		expect(await refusalOf(["--key-file", link])).toContain("symbolic link");
		expect(await refusalOf(["--key-file", keyFile("\n")])).toContain("is empty");
		expect(await refusalOf(["--key-file", "/nowhere/key"])).toContain("does not exist");
		expect(await refusalOf(["--key-file", keyFile(KEY)], { CURSORWIRE_KEY: KEY })).toContain("both set");
	});
});
