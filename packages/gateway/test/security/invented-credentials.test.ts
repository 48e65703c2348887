// A14: whoever thinks up credentials of Cursor's takes nothing from the owner, and little from Cursor.
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { closing, until } from "../kit/cleanup.ts";
import { RawClient, type RawResponse } from "../kit/hostile/raw-client.ts";
import { say } from "../kit/hostile/rig.ts";
import { openDescriptors } from "../kit/process-memory.ts";
import { temporaryFolder } from "../kit/program.ts";
import { type Served, serve } from "../kit/served.ts";

const ACCOUNTS = {
	accounts: [
		{ id: "user_01OWN", apiKeys: ["key_test"] },
		{ id: "user_01ADA", apiKeys: ["key_ada"] },
	],
};
const linux = process.platform === "linux";

async function start(flags: string[]) {
	const emulator = closing(await startEmulator({ brain: "echo", accounts: ACCOUNTS }));
	const served = await serve({ upstream: emulator.url, dataDir: temporaryFolder(), flags });
	expect((await served.ask(say("hello"))).status).toBe(200);
	return { emulator, served };
}

/** On a connection of its own, which is closed afterwards. */
async function askAs({ url }: Served, key: string): Promise<RawResponse> {
	const { host, port } = new URL(url);
	const client = await RawClient.open(Number(port));
	const body = JSON.stringify(say("hello"));
	const head = ["POST /v1/chat/completions HTTP/1.1", `Host: ${host}`, `Authorization: Bearer ${key}`];
	const lines = [...head, "Content-Type: application/json", `Content-Length: ${body.length}`, "", body];
	client.send(lines.join("\r\n"));
	return client.response().finally(() => client.close());
}

/** Not signed by anybody who could. */
function forgedToken(at: number): string {
	const claims = Buffer.from(JSON.stringify({ sub: `auth0|user_${at}`, exp: 4e9 })).toString("base64url");
	return `eyJhbGciOiJIUzI1NiJ9.${claims}.c2lnbmF0dXJl`;
}

describe("a credential of Cursor's as a key", () => {
	it("is refused with the name of the setting that takes it", async () => {
		const { served, emulator } = await start([]);
		const { exchanges } = emulator.stats().auth;
		for (const key of ["key_ada", "crsr_0a1b2c", forgedToken(1), `user_01ADA%3A%3A${forgedToken(1)}`]) {
			const answer = await askAs(served, key);
			expect(answer.status).toBe(401);
			const { error } = JSON.parse(answer.body);
			expect(error.code).toBe("invalid_api_key");
			expect(error.message).toContain("acceptCursorCredentials");
		}
		expect(emulator.stats().auth.exchanges).toBe(exchanges);
	});

	it("is taken where the setting is on", async () => {
		const { served } = await start(["--accept-cursor-credentials"]);
		expect((await askAs(served, "key_ada")).status).toBe(200);
	});
});

describe.runIf(linux)("A14: 300 invented credentials at once", () => {
	it.each([
		["API keys", (at: number) => `key_invented${at}`],
		["session tokens", forgedToken],
	])("%s: the owner is answered, Cursor is asked little, and nothing stays open", async (_name, credential) => {
		const { served, emulator } = await start(["--accept-cursor-credentials"]);
		expect((await askAs(served, "key_ada")).status).toBe(200);
		const before = { ...emulator.stats().auth, rpcs: callsOf(emulator), descriptors: openDescriptors(served.pid) };
		const crowd = Array.from({ length: 300 }, (_, at) => askAs(served, credential(at)));
		for (let round = 0; round < 5; round++) {
			expect((await served.ask(say("hello"))).status).toBe(200);
			// Whoever Cursor has accepted before is not among the crowd.
			expect((await askAs(served, "key_ada")).status).toBe(200);
		}
		const answers = await Promise.all(crowd);
		for (const answer of answers) {
			expect([403, 503]).toContain(answer.status);
			if (answer.status === 503) expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
		}
		const asked = emulator.stats().auth.exchanges - before.exchanges + callsOf(emulator) - before.rpcs;
		const refused = answers.filter(({ status }) => status === 403).length;
		expect(refused).toBeGreaterThan(0);
		expect(asked).toBeLessThanOrEqual(35);
		// A refusal is remembered.
		const known = answers.findIndex(({ status }) => status === 403);
		const calls = emulator.stats().auth.exchanges + callsOf(emulator);
		expect((await askAs(served, credential(known))).status).toBe(403);
		expect(emulator.stats().auth.exchanges + callsOf(emulator)).toBe(calls);
		await until(() => openDescriptors(served.pid) <= before.descriptors + 10);
	});
});

/** Calls about accounts; the runs of those who are answered are none. */
function callsOf({ stats }: Awaited<ReturnType<typeof startEmulator>>): number {
	const names = [
		"/aiserver.v1.DashboardService/GetUserPrivacyMode",
		"/aiserver.v1.ServerConfigService/GetServerConfig",
	];
	return names.reduce((sum, name) => sum + (stats().rpcs[name] ?? 0), 0);
}
