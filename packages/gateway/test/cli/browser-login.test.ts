import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { openProfile } from "../kit/browser.ts";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";

it("a login approved in a real browser ends with a stored credential that works", async () => {
	const emulator = await startEmulator({ brain: "echo" });
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const env = { CURSORWIRE_UPSTREAM: emulator.url, CURSORWIRE_WEBSITE: emulator.url, CURSORWIRE_DATA_DIR: dataDir };

	const login = startProgram(["login", "--no-browser"], env);
	const [url] = await login.prints(/http:\/\/\S+loginDeepControl\S+/);
	const page = await (await openProfile()).newPage();
	await page.goto(url);
	await page.click("#approve");
	await page.waitForSelector("#done");
	const { code, out } = await login.ended;
	expect(code).toBe(0);
	expect(out).toContain("Signed in");
	expect(emulator.stats().auth.logins).toBe(1);

	const folder = join(dataDir, "credentials");
	const stored = readdirSync(folder).find((name) => name.endsWith(".json"))!;
	expect(statSync(join(folder, stored)).mode & 0o777).toBe(0o600);
	expect(statSync(folder).mode & 0o777).toBe(0o700);
	expect((await runProgram(["ask", "it", "works"], env)).out).toBe("it works\n");
});
