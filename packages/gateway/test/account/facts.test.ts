import { describe, expect, it } from "vitest";
import { accountFacts, emulator, KeyTokens, ListedTokens, serve } from "./rig.ts";

const ADA = { id: "user_01ADA", apiKeys: ["key_ada"] };

describe("privacy and hosts", () => {
	it.each([
		["no-storage", true],
		["no-training", true],
		["usage-data", false],
		["codebase", false],
	] as const)("of an account with %s", async (privacyMode, isPrivate) => {
		const backend = await emulator({ agentHosts: true, accounts: { accounts: [{ ...ADA, privacyMode }] } });
		const facts = accountFacts(backend.url, { tokens: new KeyTokens(backend.url, "key_ada") });
		const hosts = await facts.hosts.resolve();
		expect(await facts.privacy.ghostMode()).toBe(isPrivate);
		expect(hosts.source).toBe("server-config");
		const { agent, agentn } = backend.agentUrls;
		expect(hosts.agentUrl.origin).toBe(isPrivate ? agent : agentn);
		expect(agent).not.toBe(agentn);
		await facts.usage();
		const request = backend.requests().findLast(({ path }) => path.endsWith("/GetCurrentPeriodUsage"));
		expect(request?.headers["x-ghost-mode"]).toBe(String(isPrivate));
	});

	it("are private and at the upstream where the backend does not answer", async () => {
		const url = await serve((_request, response) => response.writeHead(500).end());
		const facts = accountFacts(url, { tokens: new ListedTokens("t") });
		expect(await facts.privacy.ghostMode()).toBe(true);
		expect(await facts.hosts.resolve()).toMatchObject({ source: "upstream", http2Config: "unset" });
		expect((await facts.hosts.resolve()).agentUrl.origin).toBe(url);
	});

	it("know what the backend wants of HTTP/2", async () => {
		const backend = await emulator({ switches: ["http2-config=3"] });
		expect(await accountFacts(backend.url).hosts.resolve()).toMatchObject({ http2Config: "http1" });
	});

	it("are asked for once, by however many runs, and again after an hour", async () => {
		const backend = await emulator();
		let now = 0;
		const facts = accountFacts(backend.url, { now: () => now });
		const calls = (rpc: string) => backend.requests().filter(({ path }) => path.endsWith(rpc)).length;
		await Promise.all([facts.hosts.resolve(), facts.hosts.resolve(), facts.hosts.resolve()]);
		now = 59 * 60_000;
		await facts.hosts.resolve();
		expect(calls("/GetServerConfig")).toBe(1);
		now = 61 * 60_000;
		await facts.hosts.resolve();
		expect(calls("/GetServerConfig")).toBe(2);
		facts.hosts.forget();
		await facts.hosts.resolve();
		expect(calls("/GetServerConfig")).toBe(3);
	});

	it("do not rest on an old word that training is allowed", async () => {
		let now = 0;
		let works = true;
		const backend = await emulator({ accounts: { accounts: [{ ...ADA, privacyMode: "codebase" }] } });
		const real = new KeyTokens(backend.url, "key_ada");
		const tokens = {
			token: () => (works ? real.token() : Promise.reject(new Error("gone"))),
			tokenRefused: async () => {},
		};
		const facts = accountFacts(backend.url, { tokens, now: () => now });
		expect(await facts.privacy.ghostMode()).toBe(false);
		works = false;
		now = 59_000;
		expect(await facts.privacy.ghostMode()).toBe(false);
		now = 61_000;
		expect(await facts.privacy.ghostMode()).toBe(true);
		works = true;
		now = 72_000;
		expect(await facts.privacy.ghostMode()).toBe(false);
	});
});

describe("usage", () => {
	it("has plan, address, both pools and the reset date", async () => {
		const quota = { auto: { limitCents: 5000, usedCents: 1250 }, api: { limitCents: 2000, usedCents: 3000 } };
		const account = { ...ADA, email: "ada@example.test", plan: "pro_plus" as const, quota, cycleEndsInDays: 3 };
		const backend = await emulator({ accounts: { accounts: [account] } });
		const facts = accountFacts(backend.url, { tokens: new KeyTokens(backend.url, "key_ada") });
		const before = Date.now();
		const usage = await facts.usage();
		expect(usage).toMatchObject({
			plan: "Pro+",
			email: "ada@example.test",
			pools: [
				{ name: "auto", usedPercent: 25, usedCents: 1250, limitCents: 5000 },
				{ name: "api", usedPercent: 100, usedCents: 3000, limitCents: 2000 },
			],
			autoModels: ["default", "composer-1", "composer-2.5"],
		});
		const days = (usage.resetsAt!.getTime() - before) / 86_400_000;
		expect(days).toBeCloseTo(3, 2);
	});

	it("needs the usage itself and nothing else", async () => {
		const url = await serve((request, response) => {
			const isUsage = request.url?.endsWith("/GetCurrentPeriodUsage");
			response.writeHead(isUsage ? 200 : 500, { "content-type": "application/proto" }).end();
		});
		const usage = await accountFacts(url, { tokens: new ListedTokens("t") }).usage();
		expect(usage).toEqual({
			plan: undefined,
			email: undefined,
			pools: [],
			resetsAt: undefined,
			message: undefined,
			autoModels: [],
		});
		const broken = await serve((_request, response) => response.writeHead(500).end());
		const failing = accountFacts(broken, { tokens: new ListedTokens("t") }).usage();
		await expect(failing).rejects.toMatchObject({ kind: "upstream-error" });
	});
});
