// What `status` shows besides where the login is kept.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { closing } from "../kit/cleanup.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";

async function machine(options: EmulatorOptions = {}) {
	const emulator = closing(await startEmulator(options));
	const dataDir = join(temporaryFolder(), "data");
	const env = { CURSORWIRE_DATA_DIR: dataDir, CURSOR_BACKEND_URL: emulator.url, CURSORWIRE_VAULT: "file" };
	const run = (args: string[], more: Record<string, string> = {}) => runProgram(args, { ...env, ...more });
	return { emulator, dataDir, run };
}

describe("cursorwire status", () => {
	const accounts = {
		accounts: [{ id: "user_ada", email: "ada@example.com", plan: "pro" as const, apiKeys: ["key_ada"] }],
	};

	it("shows whose account it is, what Cursor says of it, and that no gateway is running", async () => {
		const { emulator, run } = await machine({ accounts });
		expect(await run(["login", "--api-key", "key_ada"])).toMatchObject({
			out: expect.stringMatching(/account +user_ada$/m),
		});
		const { code, out } = await run(["status"]);
		expect([code, out.split("\n")[0]]).toEqual([0, `Signed in to ${emulator.url}`]);
		expect(out).toMatch(/^ {2}account {2}ada@example\.com \(user_ada\), Pro plan$/m);
		expect(out).toMatch(/^ {2}gateway {2}not running; `cursorwire serve` starts one$/m);
		expect(JSON.parse((await run(["status", "--json"])).out)).toMatchObject({
			signedIn: true,
			kind: "api-key",
			userId: "user_ada",
			email: "ada@example.com",
			plan: "Pro",
			gateway: null,
		});
	});

	it("shows the gateway that is running", async () => {
		const { dataDir, run } = await machine();
		const startedAt = "2026-11-16T10:00:00.000Z";
		const discovery = { url: "http://127.0.0.1:4280", pid: process.pid, version: "1.2.3", startedAt, mode: "serve" };
		mkdirSync(dataDir, { mode: 0o700 });
		writeFileSync(join(dataDir, "gateway.json"), JSON.stringify({ ...discovery, auth: "none" }), { mode: 0o600 });
		const { out } = await run(["status"]);
		expect(out).toMatch(/gateway +http:\/\/127\.0\.0\.1:4280, running since 2026-11-16T10:00:00\.000Z$/m);
		expect(JSON.parse((await run(["status", "--json"])).out).gateway).toEqual(discovery);
	});

	it("says that Cursor refuses the login, and stays signed in where Cursor cannot be reached", async () => {
		const { emulator, run } = await machine({ accounts });
		await run(["login", "--api-key", "key_ada"]);
		const refused = await run(["status"], { CURSOR_API_KEY: "key_wrong" });
		expect(refused).toMatchObject({
			code: 3,
			out: expect.stringMatching(/note +Cursor does not accept this API key\./),
		});
		await emulator.close();
		const { code, out } = await run(["status"]);
		expect(code).toBe(0);
		expect(out).toMatch(/account +user_ada$/m);
		expect(out).toMatch(/note +Cursor was not asked: /);
	});
});
