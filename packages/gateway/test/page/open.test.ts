// `cursorwire open`, and the address that `serve` and `demo` print: the real program.

import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { EXIT_CODES } from "../../src/cli/process/exit-codes.ts";
import { until } from "../kit/cleanup.ts";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";
import { exchange } from "./page-client.ts";

async function setUp(flags: string[] = []) {
	const emulator = await startEmulator();
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const gateway = await serve({ upstream: emulator.url, dataDir, flags: ["--log-level", "silent", ...flags] });
	return { gateway, env: { CURSORWIRE_DATA_DIR: dataDir, CURSORWIRE_OPEN_BROWSER: "true" } };
}

/** A program that notes what it is to open, in place of a browser. */
function browserAt(folder: string): { env: { PATH: string }; opened: () => string } {
	const note = join(folder, "opened");
	const program = join(folder, "xdg-open");
	writeFileSync(program, `#!/bin/sh\nprintf '%s' "$#:$1" > '${note}.tmp' && mv '${note}.tmp' '${note}'\n`);
	chmodSync(program, 0o755);
	const opened = () => (existsSync(note) ? readFileSync(note, "utf8") : "");
	return { env: { PATH: `${folder}:${process.env.PATH}` }, opened };
}

const works = async (address: string) => {
	const [url, code] = address.trim().split("/#");
	return (await exchange(url!, code!)).status;
};

describe("cursorwire open", () => {
	it("opens the page of the running gateway in a browser, with a code that works once", async () => {
		const { gateway, env } = await setUp();
		const browser = browserAt(temporaryFolder());
		const { code, out } = await runProgram(["open"], { ...env, ...browser.env });
		expect(code).toBe(0);
		expect(out).toMatch(new RegExp(`^${gateway.url}/#[\\w-]{43}\n$`));
		await until(() => browser.opened() === `1:${out.trim()}`);
		expect(await works(out)).toBe(200);
		expect(await works(out)).toBe(401);
		expect((await fetch(`${gateway.url}/`, { headers: { accept: "text/html" } })).status).toBe(200);
	});

	it("only prints the address where that is wanted", async () => {
		const { env } = await setUp();
		const browser = browserAt(temporaryFolder());
		const { code, out, err } = await runProgram(["open", "--print"], { ...env, ...browser.env });
		expect({ code, err }).toEqual({ code: 0, err: "" });
		expect(await works(out)).toBe(200);
		expect(browser.opened()).toBe("");
	});

	it("says what is missing: a gateway, or its page", async () => {
		const none = await runProgram(["open"], { CURSORWIRE_DATA_DIR: temporaryFolder() });
		expect(none).toMatchObject({
			code: EXIT_CODES.noGateway.code,
			err: expect.stringContaining("No gateway is running"),
		});
		const { env } = await setUp(["--no-page"]);
		const { code, err } = await runProgram(["open"], env);
		expect(code).not.toBe(0);
		expect(err).toMatch(/This gateway serves no page\. .*--page-remote/);
	});
});

describe.each(["serve", "demo"])("cursorwire %s", (command) => {
	it("prints an address of the page that works at once, and what opens it later", async () => {
		const env = { HOME: temporaryFolder(), CURSOR_API_KEY: "key_test" };
		const program = startProgram([command, "--port", "0"], env);
		const [line] = await program.prints(/^ {2}page {7}.*$/m);
		const [, address, later] = /(http:\S+) {2}\(for a minute; later: (.*)\)$/.exec(line)!;
		expect(await works(address!)).toBe(200);
		expect(later).toMatch(/^`.*cursorwire.* open`$/);
		const { out } = await runProgram(["open", "--print"], env);
		expect(await works(out)).toBe(200);
	});
});
