// The real program with a real keychain, with one that does not answer, and with none.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { BUNDLED_PROGRAM } from "../kit/bundled-program.ts";
import { closing, until } from "../kit/cleanup.ts";
import { type Finished, runProgram, temporaryFolder } from "../kit/program.ts";
import { startSecretService } from "../kit/secret-service.ts";
import { serve } from "../kit/served.ts";

const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
const KEY = "key_demo";

/** An empty home with an upstream. */
async function machine(more: Record<string, string> = {}) {
	const emulator = closing(await startEmulator({ brain: "echo" }));
	const home = temporaryFolder();
	const dataDir = join(home, "data");
	const env = {
		HOME: home,
		CURSORWIRE_DATA_DIR: dataDir,
		CURSOR_BACKEND_URL: emulator.url,
		CURSOR_WEBSITE_URL: emulator.url,
		...more,
	};
	const file = join(dataDir, "credentials", "cursor.json");
	return { emulator, dataDir, env, file, run: (...args: string[]): Promise<Finished> => runProgram(args, env) };
}

/** What the keychain holds, read by another process with the module itself. */
function readKeychain(account: string, env: Record<string, string>): string {
	const program = `
		import { Entry } from ${JSON.stringify(join(MODULES, "@napi-rs/keyring/index.js"))};
		process.stdout.write(new Entry("cursorwire", ${JSON.stringify(account)}).getPassword() ?? "");`;
	return execFileSync(process.execPath, ["--input-type=module", "-e", program], {
		env: { ...process.env, ...env },
		encoding: "utf8",
	});
}

const filesWithKey = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((name) => join(folder, name))
		.filter((path) => statSync(path).isFile() && readFileSync(path, "latin1").includes(KEY));

/** Processes that ask the keychain on this bus. */
const askers = (address: string): string[] =>
	readdirSync("/proc").filter((pid) => {
		try {
			const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
			return command.includes("keychain.mjs") && readFileSync(`/proc/${pid}/environ`, "utf8").includes(address);
		} catch {
			return false;
		}
	});

function expectInFile({ code, err }: Finished, file: string): void {
	expect({ code, err }).toEqual({ code: 0, err: "" });
	expect(readFileSync(file, "utf8")).toContain(KEY);
	expect(statSync(file).mode & 0o777).toBe(0o600);
}

describe.runIf(process.platform === "linux")("K8: with a Secret Service", () => {
	it("login stores the login there and in no file, status says so, serve reads it, logout removes it", async () => {
		const keychain = await startSecretService();
		const { emulator, dataDir, env, run } = await machine(keychain.env);
		const login = await run("login", "--api-key", KEY);
		expect(login).toMatchObject({ code: 0, err: "" });
		expect(login.out).toMatch(/^ {2}vault +the system's keychain$/m);
		expect(login.out).not.toMatch(/note/);
		expect(keychain.entries("cursorwire")).toBe(1);
		expect(JSON.parse(readKeychain(join(dataDir, "credentials"), keychain.env))).toMatchObject({ apiKey: KEY });
		expect(filesWithKey(dataDir)).toEqual([]);

		const status = await run("status", "--json");
		expect(JSON.parse(status.out)).toMatchObject({ signedIn: true, kind: "api-key", vault: "keychain", notes: [] });

		const gateway = await serve({ upstream: emulator.url, dataDir, env: { ...env, CURSOR_API_KEY: "" } });
		const response = await gateway.ask({ model: "auto", messages: [{ role: "user", content: "Hello" }] });
		expect(response.status).toBe(200);
		expect(await response.text()).toContain("Hello");

		expect(await run("logout")).toMatchObject({ code: 0, err: "", out: expect.stringContaining("nothing") });
		expect(keychain.entries("cursorwire")).toBe(0);
		expect((await run("status")).code).toBe(3);
	});

	it("that is locked: the stored login is not called missing, logout does not call it gone, login uses a file", async () => {
		const keychain = await startSecretService();
		const { emulator, dataDir, env, file, run } = await machine(keychain.env);
		await run("login", "--api-key", KEY);
		keychain.lock();
		const status = await run("status");
		expect(status.code).toBe(3);
		expect(status.out).toMatch(/The stored login cannot be read\. The system's keychain is locked\. Unlock it/);
		const gateway = await serve({ upstream: emulator.url, dataDir, env: { ...env, CURSOR_API_KEY: "" } });
		const refusal = await gateway.ask({ model: "auto", messages: [{ role: "user", content: "Hello" }] });
		expect(refusal.status).toBe(403);
		expect(await refusal.text()).toMatch(/"message":"The stored login cannot be read.*keychain is locked.*signed_out/);
		const logout = await run("logout");
		expect(logout).toMatchObject({
			code: 1,
			out: "",
			err: expect.stringMatching(/^The system's keychain is locked\./),
		});
		expect(keychain.entries("cursorwire")).toBe(1);

		const login = await run("login", "--api-key", KEY);
		expectInFile(login, file);
		expect(login.out).toMatch(/note +The system's keychain is locked\. Unlock it .*CURSORWIRE_VAULT=file/);
		const again = await run("login", "--api-key", KEY);
		expectInFile(again, file);
		expect(again.out).not.toMatch(/note/);
	});

	it("that asks in a dialog nobody sees: every command ends, and so does the process that asked", async () => {
		const keychain = await startSecretService({ prompter: "silent" });
		const { file, run } = await machine(keychain.env);
		await run("login", "--api-key", KEY);
		keychain.lock();
		const status = await run("status");
		expect(status.code).toBe(3);
		expect(status.out).toMatch(
			/did not respond within 10 s\. It may be asking for its password in a dialog\. Unlock it/,
		);
		const login = await run("login", "--api-key", KEY);
		expectInFile(login, file);
		expect(login.out).toMatch(/note +The system's keychain did not respond/);
		await until(() => askers(keychain.env.DBUS_SESSION_BUS_ADDRESS).length === 0);
	});
});

describe.runIf(process.platform === "linux")("K8: without a keychain, a login is kept in a private file", () => {
	it("where there is no D-Bus session, and the reason is given once", async () => {
		const { file, run } = await machine();
		const login = await run("login", "--api-key", KEY);
		expectInFile(login, file);
		expect(login.out).toMatch(/note +No keychain is running in this session.*Install gnome-keyring.*CURSORWIRE_VAULT/);
		const again = await run("login", "--api-key", KEY);
		expectInFile(again, file);
		expect(again.out).not.toMatch(/note/);
		expect(JSON.parse((await run("status", "--json")).out).notes).toEqual([
			expect.stringMatching(/^No keychain is running/),
		]);
		await run("logout");
		expect(existsSync(file)).toBe(false);
	});

	it("where the optional module is not installed", async () => {
		const { file, env } = await machine();
		const login = await runProgram(["login", "--api-key", KEY], env, { program: withoutKeychainModule() });
		expectInFile(login, file);
		expect(login.out).toMatch(
			/note +The keychain module @napi-rs\/keyring is not installed\. Install cursorwire again/,
		);
	});
});

/** A copy of the program that finds every package except the keychain's. */
function withoutKeychainModule(): string {
	const folder = temporaryFolder();
	cpSync(dirname(dirname(process.env[BUNDLED_PROGRAM]!)), folder, { recursive: true });
	mkdirSync(join(folder, "node_modules"));
	for (const name of readdirSync(MODULES).filter((name) => name !== "@napi-rs" && !name.startsWith("."))) {
		symlinkSync(join(MODULES, name), join(folder, "node_modules", name));
	}
	return join(folder, "bin/cursorwire.mjs");
}
