import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator, type Turn } from "cursorwire-emulator";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { DEFAULT_MODELS } from "../../../emulator/src/accounts/model-catalog.ts";
import { demo } from "../../../emulator/src/brains/demo.ts";
import { until } from "../../../gateway/test/kit/cleanup.ts";
import { announced, type Opencode, openOpencode } from "./kit/opencode.ts";
import { startRegistry } from "./kit/registry.ts";

const folder = mkdtempSync(join(tmpdir(), "cursorwire-plugin-"));
let emulator: Emulator;
let opencode: Opencode;
/** Models that were asked for, the last one last. */
const models: Turn["model"][] = [];
const close: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];

beforeAll(async () => {
	const registry = await startRegistry(inject("packages").tarballs);
	emulator = await startEmulator({
		accounts: { accounts: [{ id: "user_plugin", apiKeys: ["key_plugin"] }] },
		brain(turn) {
			models.push(turn.model);
			return demo(turn);
		},
	});
	const env = { CURSORWIRE_UPSTREAM: emulator.url, CURSORWIRE_WEBSITE: emulator.url, CURSORWIRE_VAULT: "file" };
	opencode = await openOpencode({ registry: registry.url, env });
	close.push(registry.close, emulator.close, opencode.close);
});
afterAll(async () => {
	for (const end of close) await end();
});

/** All files below a folder, as one text. */
const everything = (path: string): string =>
	readdirSync(path, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
		.join("\n");

const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
};

// One story: each part goes on where the one before it ended.
describe("OpenCode with the packed plugin, installed by its name", () => {
	it("says that nobody is signed in, and how to sign in", async () => {
		const { output } = await opencode.run(["models", "cursor"]);
		expect(output).toContain("not signed in to Cursor");
		expect(output).toContain("opencode auth login");
		// A sentence, and not where in the program it was thrown.
		expect(output).not.toMatch(/^\s+at \S+ \(/m);
		expect((await opencode.run(["run", "-m", "cursor/composer-1", "Hello"])).output).toContain(
			"not signed in to Cursor",
		);
	});

	it("signs in on Cursor's page", async () => {
		const words = ["auth", "login", "--provider", "cursor", "--method", "Cursor account (browser)"];
		const login = opencode.start(words);
		const [, page] = await login.prints(/Go to: (http\S+)/);
		expect(await (await fetch(page!)).text()).toContain("Approve");
		const uuid = new URL(page!).searchParams.get("uuid")!;
		await fetch(`${emulator.url}/loginDeepControl/approve`, { method: "POST", body: new URLSearchParams({ uuid }) });
		const { code, output } = await login.ended;
		expect(output).toContain("Login successful");
		expect(code).toBe(0);
	});

	it("leaves the tokens with the gateway alone", () => {
		const credentials = everything(join(opencode.dataDir, "credentials"));
		const token = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(credentials)?.[0];
		expect(token).toBeDefined();
		expect(everything(join(opencode.home, ".local", "share", "opencode"))).not.toContain(token);
	});

	it("lists the models of the account", async () => {
		const { code, output } = await opencode.run(["models", "cursor", "--verbose"]);
		expect(code).toBe(0);
		const listed = Object.fromEntries(
			[...output.matchAll(/^cursor\/(\S+)\n(\{[\s\S]*?^\})/gm)].map(([, id, json]) => [id, JSON.parse(json!)]),
		);
		expect(Object.keys(listed)).toEqual(expect.arrayContaining(["composer-1", "gpt-5.4", "gpt-5.4-high-fast"]));
		expect(listed["gpt-5.4"]).toMatchObject({
			name: "GPT-5.4",
			limit: { context: 272_000 },
			cost: { input: 0, output: 0 },
			capabilities: { toolcall: true, reasoning: true, attachment: true, input: { image: true } },
		});
		expect(Object.keys(listed["gpt-5.4"].variants)).toEqual(["low", "medium", "high", "xhigh"]);
		expect(listed["grok-code"].capabilities).toMatchObject({
			reasoning: false,
			attachment: false,
			input: { image: false },
		});
		expect(listed["grok-code"].variants).toEqual({});
	});

	it("uses a tool", async () => {
		writeFileSync(join(opencode.work, "note.txt"), "the word is heliotrope\n");
		const { code, output } = await opencode.run(["run", "-m", "cursor/composer-1", "Read the file note.txt"]);
		expect(output).toContain("the word is heliotrope");
		expect(code).toBe(0);
	});

	it("ends its gateway with itself", async () => {
		await until(() => announced(opencode) === undefined);
	});

	it("goes on with the session after a restart", async () => {
		const words = ["run", "--continue", "-m", "cursor/composer-1", "What did I ask first?"];
		expect((await opencode.run(words)).output).toContain("Read the file note.txt");
	});

	it("sends an effort that was chosen", async () => {
		const words = ["run", "-m", "cursor/gpt-5.4", "--variant", "high", "Say hello"];
		expect((await opencode.run(words)).output).toContain("Say hello");
		expect(models.at(-1)).toMatchObject({ id: "gpt-5.4", parameters: { reasoning: "high" } });
	});

	it("uses a gateway that runs already, and leaves it running", async () => {
		const plugin = join(opencode.home, ".cache", "opencode");
		const script = readdirSync(plugin, { recursive: true })
			.map(String)
			.find((path) => path.endsWith(join("cursorwire", "bin", "cursorwire.mjs")));
		const env = {
			PATH: process.env.PATH!,
			HOME: opencode.home,
			CURSORWIRE_UPSTREAM: emulator.url,
			CURSORWIRE_VAULT: "file",
		};
		const args = [join(plugin, script!), "serve", "--port", "0", "--log-level", "silent"];
		const own = spawn(process.execPath, args, { env, stdio: "ignore" });
		onTestFinished(() => void own.kill("SIGKILL"));
		await until(() => announced(opencode)?.pid === own.pid);
		expect((await opencode.run(["models", "cursor"])).output).toContain("cursor/composer-1");
		expect(announced(opencode)?.pid).toBe(own.pid);
		own.kill("SIGTERM");
		await until(() => announced(opencode) === undefined);
	});

	it("takes a Cursor API key, and ends its gateway even when it is killed", async () => {
		rmSync(join(opencode.dataDir, "credentials"), { recursive: true });
		const server = opencode.start(["serve", "--port", "0"]);
		const [url] = await server.prints(/http:\/\/127\.0\.0\.1:\d+/);
		const call = (path: string, body: object) =>
			fetch(`${url}/provider/cursor/oauth/${path}`, {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify(body),
			});
		const methods = (await (await fetch(`${url}/provider/auth`)).json()) as Record<string, { label: string }[]>;
		const method = methods.cursor!.findIndex(({ label }) => label === "Cursor API key");

		expect((await call("authorize", { method, inputs: { apiKey: "no-such-key" } })).status).toBe(200);
		expect((await call("callback", { method })).status).toBeGreaterThanOrEqual(400);
		expect((await call("authorize", { method, inputs: { apiKey: "key_plugin" } })).status).toBe(200);
		expect((await call("callback", { method })).status).toBe(200);

		const { pid } = announced(opencode)!;
		server.child.kill("SIGKILL");
		await until(() => !isAlive(pid));
		expect((await opencode.run(["models", "cursor"])).output).toContain("cursor/composer-1");
	});

	it("has a new model at the next start, without a change of its settings, and says what is used up", async () => {
		const newer = await startEmulator({
			accounts: {
				accounts: [
					{
						id: "user_later",
						apiKeys: ["key_later"],
						quota: { auto: { limitCents: 1_000, usedCents: 870 }, api: { limitCents: 1_000, usedCents: 20 } },
					},
				],
				models: [...DEFAULT_MODELS, { id: "composer-9", displayName: "Composer 9", pool: "auto" }],
			},
			brain: demo,
		});
		onTestFinished(() => newer.close());
		const env = {
			CURSORWIRE_UPSTREAM: newer.url,
			CURSOR_API_KEY: "key_later",
			CURSORWIRE_DATA_DIR: join(folder, "later"),
		};
		expect((await opencode.run(["models", "cursor"], env)).output).toContain("cursor/composer-9");
		const server = opencode.start(["serve", "--port", "0"], env);
		const [url] = await server.prints(/http:\/\/127\.0\.0\.1:\d+/);
		const post = async (path: string, body: object) => {
			const headers = { "content-type": "application/json" };
			return (await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
		};
		const { id } = (await post("/session", {})) as { id: string };
		const model = { providerID: "cursor", modelID: "composer-9" };
		await post(`/session/${id}/message`, { model, parts: [{ type: "text", text: "Say hello" }] });
		await server.prints(/cursorwire: 87% of the included usage for Auto and Composer is used, until \d{4}-/);
	});

	it("says that Node is missing", async () => {
		const empty = join(folder, "empty");
		mkdirSync(empty);
		const { output } = await opencode.run(["models", "cursor"], { PATH: empty });
		expect(output).toContain("Cursor models need Node 20.19 or newer");
		expect(output).not.toMatch(/^\s+at \S+ \(/m);
	});
});
