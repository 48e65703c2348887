import { type ChildProcess, spawn } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Emulator, type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { afterAll, describe, expect, it } from "vitest";
import { apiKeyCredential } from "../../src/credentials/credential.ts";
import { Secret } from "../../src/credentials/secret.ts";
import { encodeCredential } from "../../src/credentials/vault/credential-text.ts";
import { freshPair } from "../kit/credentials/rig.ts";

const PROGRAM = fileURLToPath(new URL("./cli-program.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** The tests run side by side, so what they open is closed when all are over. */
const opened: (() => unknown)[] = [];
afterAll(async () => {
	for (const close of opened.reverse()) await close();
});

interface Ended {
	code: number | null;
	out: string;
	err: string;
}

/** A person's machine: a home folder and an upstream. */
async function machine(options: EmulatorOptions = {}) {
	const emulator = await startEmulator(options);
	const home = mkdtempSync(join(tmpdir(), "cursorwire-home-"));
	opened.push(
		() => emulator.close(),
		() => rmSync(home, { recursive: true }),
	);
	const env: Record<string, string> = {
		PATH: process.env.PATH ?? "",
		HOME: home,
		CURSORWIRE_DATA_DIR: join(home, "data"),
		CURSOR_BACKEND_URL: emulator.url,
		CURSOR_WEBSITE_URL: emulator.url,
		NO_OPEN_BROWSER: "1",
	};
	const start = (args: string[], more: Record<string, string> = {}): ChildProcess => {
		const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, ...args], {
			cwd: ROOT,
			env: { ...env, ...more },
		});
		opened.push(() => child.kill("SIGKILL"));
		return child;
	};
	const run = (args: string[], { input = "", ...more }: Record<string, string> = {}): Promise<Ended> => {
		const child = start(args, more);
		child.stdin!.end(input);
		return ended(child);
	};
	return { emulator, home, dataDir: env.CURSORWIRE_DATA_DIR!, start, run };
}

function ended(child: ChildProcess): Promise<Ended> {
	let [out, err] = ["", ""];
	child.stdout!.on("data", (chunk) => {
		out += chunk;
	});
	child.stderr!.on("data", (chunk) => {
		err += chunk;
	});
	return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

/** The first output that matches, without taking it away from others. */
function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
	return new Promise((resolve, reject) => {
		let out = "";
		child.stdout!.on("data", (chunk) => {
			out += chunk;
			const found = pattern.exec(out)?.[0];
			if (found !== undefined) resolve(found);
		});
		child.on("close", () => reject(new Error(`ended without ${pattern}: ${out}`)));
	});
}

const URL_LINE = /^http:\/\/127\.0\.0\.1:\d+\/loginDeepControl\?.*$/m;

async function approve(emulator: Emulator, page: string): Promise<void> {
	await fetch(page);
	const uuid = new URL(page).searchParams.get("uuid")!;
	await fetch(`${emulator.url}/loginDeepControl/approve`, { method: "POST", body: new URLSearchParams({ uuid }) });
}

/** Every file below a folder whose bytes hold one of the texts. */
function filesWith(folder: string, texts: string[]): string[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.map((name) => join(folder, name))
		.filter((file) => statSync(file).isFile() && texts.some((text) => readFileSync(file, "latin1").includes(text)));
}

const noStack = ({ out, err }: Ended) => expect(out + err).not.toMatch(/\n\s+at |node:internal/);

describe.concurrent("cursorwire login", () => {
	it("K8, K9: prints the page on a line of its own, waits, stores, says where; logout leaves no trace", async () => {
		const { emulator, dataDir, start, run } = await machine();
		const child = start(["login"]);
		const done = ended(child);
		await approve(emulator, await printed(child, URL_LINE));
		const login = await done;
		expect(login).toMatchObject({ code: 0, err: "" });
		expect(login.out).toContain(`Signed in to ${emulator.url}`);
		expect(login.out).toContain("browser login");
		expect(login.out).not.toContain("\u001b");

		const stored = JSON.parse(readFileSync(join(dataDir, "credentials", "cursor.json"), "utf8"));
		const canaries = [stored.access.token, stored.refreshToken];
		expect(filesWith(dataDir, canaries)).toHaveLength(1);
		expect(canaries.some((canary) => login.out.includes(canary))).toBe(false);

		const status = await run(["status", "--json"]);
		expect(status.code).toBe(0);
		expect(JSON.parse(status.out)).toMatchObject({
			signedIn: true,
			kind: "session",
			upstream: emulator.url,
			expiresAt: expect.stringMatching(/^\d{4}-/),
			vault: "file",
			path: join(dataDir, "credentials", "cursor.json"),
			notes: [expect.stringMatching(/^No keychain is running in this session.*CURSORWIRE_VAULT=file/)],
		});
		expect(canaries.some((canary) => status.out.includes(canary))).toBe(false);

		expect(await run(["logout"])).toMatchObject({ code: 0, out: expect.stringContaining("Signed out") });
		expect(filesWith(dataDir, canaries)).toEqual([]);
		expect(await run(["status"])).toMatchObject({ code: 3, out: expect.stringContaining("Signed out of") });
	});

	it("opens a browser if it may, and prints the page all the same", async () => {
		const { home, start } = await machine({ autoApprove: true });
		const programs = join(home, "bin");
		mkdirSync(programs);
		writeFileSync(join(programs, "xdg-open"), `#!/bin/sh\necho "$1" > "${home}/opened"\n`);
		chmodSync(join(programs, "xdg-open"), 0o755);
		const child = start(["login", "--json"], {
			PATH: `${programs}:${process.env.PATH}`,
			CURSORWIRE_OPEN_BROWSER: "true",
		});
		const { code, out } = await ended(child);
		expect(code).toBe(0);
		const [opened, signedIn] = out
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(opened).toMatchObject({ event: "open", opened: true });
		expect(readFileSync(join(home, "opened"), "utf8").trim()).toBe(opened.url);
		expect(signedIn).toMatchObject({ event: "signed-in", kind: "session", signedIn: true });
	});

	it("ends cleanly at Ctrl-C and leaves no file", async () => {
		const { dataDir, start } = await machine();
		const child = start(["login"]);
		const done = ended(child);
		await printed(child, URL_LINE);
		child.kill("SIGINT");
		const outcome = await done;
		expect(outcome).toMatchObject({ code: 130, err: "Cancelled.\n" });
		noStack(outcome);
		expect(readdirSync(join(dataDir, "credentials"))).toEqual([]);
	});

	it("takes an API key from standard input, and only one that works", async () => {
		const { emulator, dataDir, run } = await machine({
			accounts: { accounts: [{ id: "user_1", apiKeys: ["key_right"] }] },
		});
		const wrong = await run(["login", "--api-key"], { input: "key_wrong\n" });
		expect(wrong.code).toBe(3);
		expect(wrong.err).toMatch(/^Cursor does not accept this API key\. Invalid User API Key\. .*\n$/);
		noStack(wrong);
		expect(filesWith(dataDir, ["key_"])).toEqual([]);
		const right = await run(["login", "--api-key"], { input: "key_right\n" });
		expect(right).toMatchObject({ code: 0, out: expect.stringContaining("API key") });
		expect(filesWith(dataDir, ["key_right"])).toHaveLength(1);
		expect(emulator.stats().auth).toMatchObject({ exchanges: 2, refused: 1 });
	});

	it("takes a session token as it is copied from a browser", async () => {
		const { emulator, run } = await machine();
		const token = (await freshPair(emulator)).accessToken.reveal();
		const input = `WorkosCursorSessionToken=user_01DEMO%3A%3A${token}`;
		const { code, out } = await run(["login", "--session-token", "--json"], { input });
		expect([code, JSON.parse(out)]).toMatchObject([0, { kind: "session-token", renewable: false }]);
		expect(out).not.toContain(token);
	});

	it("copies the login of Cursor's CLI", async () => {
		const { emulator, home, dataDir, run } = await machine();
		const pair = await freshPair(emulator);
		const tokens = { accessToken: pair.accessToken.reveal(), refreshToken: pair.refreshToken.reveal() };
		mkdirSync(join(home, ".config", "cursor"), { recursive: true });
		writeFileSync(join(home, ".config", "cursor", "auth.json"), JSON.stringify(tokens));
		expect(await run(["login", "--import"])).toMatchObject({ code: 0, out: expect.stringContaining("browser login") });
		expect(filesWith(dataDir, [tokens.refreshToken])).toHaveLength(1);
		expect(readFileSync(join(home, ".config", "cursor", "auth.json"), "utf8")).toBe(JSON.stringify(tokens));
	});

	it("says what is wrong in one line", async () => {
		const { dataDir, run } = await machine();
		const cases: [args: string[], env: Record<string, string>, code: number, line: RegExp][] = [
			[["login", "--api-key", "k", "--import"], {}, 2, /^give only one of --api-key/],
			[["login", "--import"], {}, 3, /^No login of Cursor's CLI or editor was found/],
			[["login"], { CURSORWIRE_VAULT: "safe" }, 2, /^CURSORWIRE_VAULT: takes auto, keychain, file/],
			[["login"], { CURSOR_BACKEND_URL: "http://example.test" }, 4, /^Credentials are not sent to .* without TLS/],
			[["login", "--api-key", "k"], { CURSOR_BACKEND_URL: "http://127.0.0.1:9" }, 4, /^http:\/\/127.0.0.1:9 cannot/],
			[["status"], { NODE_EXTRA_CA_CERTS: "/nonexistent" }, 2, /cannot read the CA file/],
		];
		const outcomes = await Promise.all(cases.map(([args, env]) => run(args, env)));
		for (const [i, outcome] of outcomes.entries()) {
			const [, , code, line] = cases[i]!;
			expect(outcome.code).toBe(code);
			expect(outcome.err.split("\n").filter((text) => text !== "" && !text.startsWith("Warning"))).toEqual([
				expect.stringMatching(line),
			]);
			noStack(outcome);
		}
		expect(filesWith(dataDir, ["k"])).toEqual([]);
	});
});

describe.concurrent("cursorwire status", () => {
	it("knows CURSOR_API_KEY, another upstream and a file that others can read", async () => {
		const { emulator, dataDir, run } = await machine();
		const folder = join(dataDir, "credentials");
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const credential = apiKeyCredential(emulator.url, new Secret("key_demo"));
		writeFileSync(join(folder, "cursor.json"), encodeCredential(credential), { mode: 0o600 });
		expect(await run(["status"], { CURSOR_API_KEY: "crsr_canary" })).toMatchObject({
			code: 0,
			out: expect.stringMatching(/API key from CURSOR_API_KEY(?![\s\S]*canary)/),
		});
		expect(await run(["status"], { CURSOR_BACKEND_URL: "https://other.example" })).toMatchObject({
			code: 3,
			out: expect.stringMatching(/You are signed in to http:.*, but the upstream is https:\/\/other\.example/),
		});
		chmodSync(join(dataDir, "credentials", "cursor.json"), 0o644);
		expect(await run(["status"])).toMatchObject({
			code: 3,
			out: expect.stringMatching(/open to other users \(mode 644\)\. Run `chmod 600/),
		});
	});
});
