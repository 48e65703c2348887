import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { expectSchemaThread } from "./kit/schema-thread.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "cursorwire-sea-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the single executable", () => {
	const program = join(folder, "out", "cursorwire");
	const temporary = join(folder, "tmp");
	/** No Node to be found, and nothing but a home and a place for temporary files. */
	const env = { PATH: "/nonexistent", HOME: join(folder, "home"), TMPDIR: temporary };
	beforeAll(async () => {
		for (const made of [env.HOME, temporary]) mkdirSync(made);
		await run(process.execPath, ["scripts/build-sea.mjs", "--out", join(folder, "out")], { cwd: ROOT });
	});

	it("is one file", () => {
		expect(readdirSync(join(folder, "out"))).toEqual(["cursorwire"]);
	});

	it("says its version", async () => {
		expect((await run(program, ["--version"], { env })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
	});

	it("is what its service starts, however it was called", async () => {
		const print = ["service", "install", "--print", "--system", "linux"];
		const outside = { env: { ...env, PATH: join(folder, "out") }, cwd: env.HOME };
		const beside = { env, cwd: join(folder, "out") };
		for (const [called, place] of [
			["cursorwire", outside],
			["./cursorwire", beside],
		] as const) {
			expect((await run(called, print, place)).stdout).toContain(`ExecStart="${program}" "serve" "--port" "4280"\n`);
		}
	});

	it("names itself by its path where it is not on the PATH, and by its name where it is", async () => {
		const hint = async (PATH: string) => {
			const failed = run(program, ["connect", "codex"], { env: { ...env, PATH } });
			return /`(.*?) serve`/.exec(await failed.catch(({ stderr }) => stderr))?.[1];
		};
		expect(await hint(env.PATH)).toBe(program);
		expect(await hint(join(folder, "out"))).toBe("cursorwire");
	});

	it("runs the demo with SQLite, which it brings along and leaves nowhere", async () => {
		const child = spawn(program, ["demo", "--port", "0", "--json"], { env, stdio: ["ignore", "pipe", "inherit"] });
		onTestFinished(() => void child.kill("SIGKILL"));
		const { url, key } = await new Promise<{ url: string; key: string }>((resolve, reject) => {
			child.stdout.once("data", (line) => resolve(JSON.parse(line)));
			child.once("close", (code) => reject(new Error(`ended with ${code}`)));
		});
		expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: "ok", store: "sqlite" });
		for (const path of ["/", "/page/page.js", "/page/page.css"]) {
			expect((await fetch(`${url}${path}`, { headers: { accept: "text/html" } })).status, path).toBe(200);
		}
		const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
		const { choices } = await client.chat.completions.create({
			model: "auto",
			messages: [{ role: "user", content: "Say hello" }],
			max_completion_tokens: 20,
		});
		expect(choices[0]!.message.content).toContain("Say hello");
		await expectSchemaThread(client);
		const ended = new Promise((resolve) => child.once("close", resolve));
		child.kill("SIGTERM");
		expect(await ended).toBe(0);
		expect(readdirSync(temporary)).toEqual([]);
	});
});
