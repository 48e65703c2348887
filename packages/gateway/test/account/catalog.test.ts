import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AccountFacts } from "../../src/upstream/account/account-facts.ts";
import { until } from "../kit/cleanup.ts";
import { accountFacts, emulator, forward, ListedTokens, serve, temporaryFolder } from "./rig.ts";

const HOUR = 3_600_000;
const ids = async (facts: AccountFacts) => (await facts.catalog.current()).models.map(({ id }) => id);

/** An emulator behind a switch: while it is off, every request fails. */
async function fragileBackend() {
	const backend = await emulator();
	const state = { isUp: true, requests: 0 };
	const url = await forward(backend.url, () => {
		state.requests += 1;
		return state.isUp;
	});
	return { url, state };
}

describe("the live list", () => {
	it("is merged from the sources of the account", async () => {
		const backend = await emulator();
		const snapshot = await accountFacts(backend.url, { apiKey: () => "key_demo" }).catalog.current();
		expect(snapshot).toMatchObject({ stale: false, problem: undefined });
		expect(snapshot.models.map(({ id }) => id)).toEqual([
			"default",
			"composer-1",
			"composer-2.5",
			"claude-4.6-opus",
			"claude-4.6-sonnet",
			"gpt-5.4",
			"gpt-5.4-codex",
			"gemini-3.1-pro",
			"grok-code",
		]);
		const opus = snapshot.models.find(({ id }) => id === "claude-4.6-opus");
		expect(opus).toMatchObject({
			displayName: "Opus 4.6",
			contextWindow: 200_000,
			maxContextWindow: 1_000_000,
			thinking: true,
			images: true,
			pool: "api",
		});
		expect(opus?.parameters.map(({ id }) => id)).toEqual(["thinking", "effort", "context"]);
		expect(snapshot.models.find(({ id }) => id === "default")).toMatchObject({ aliases: ["auto"], pool: "auto" });
		expect(snapshot.models.find(({ id }) => id === "grok-code")).toMatchObject({ images: false, thinking: false });
		expect(backend.requests().some(({ path }) => path === "/v1/models")).toBe(true);
	});

	it("of a session account leaves the REST list out", async () => {
		const backend = await emulator();
		expect((await accountFacts(backend.url).catalog.current()).models).toHaveLength(9);
		expect(backend.requests().some(({ path }) => path === "/v1/models")).toBe(false);
	});

	it("is the same whichever source is missing", async () => {
		const backend = await emulator();
		const whole = await accountFacts(backend.url, { apiKey: () => "key_demo" }).catalog.current();
		for (const missing of ["/AvailableModels", "/GetUsableModels", "/v1/models"]) {
			const url = await forward(backend.url, (path) => !path.endsWith(missing));
			const partial = await accountFacts(url, { apiKey: () => "key_demo" }).catalog.current();
			expect(partial).toMatchObject({ stale: true, problem: { kind: "upstream-unavailable" } });
			const names = (models: typeof whole.models) =>
				models.flatMap(({ id, variants }) => [id, ...variants.map(({ slug, parameters }) => [slug, parameters])]);
			expect(names(partial.models), missing).toEqual(names(whole.models));
		}
	});

	it("fails with the error of the upstream where nothing is known", async () => {
		const backend = await emulator();
		const signedOut = accountFacts(backend.url, { tokens: new ListedTokens("bad") }).catalog;
		await expect(signedOut.current()).rejects.toMatchObject({ kind: "signed-out" });
		const empty = await serve((_request, response) =>
			response.writeHead(200, { "content-type": "application/proto" }).end(),
		);
		const nothing = accountFacts(empty, { tokens: new ListedTokens("t") }).catalog;
		await expect(nothing.current()).rejects.toMatchObject({ kind: "upstream-empty" });
	});

	it("lets names through where there is no list, and asks for one once a minute", async () => {
		let requests = 0;
		let now = 0;
		const url = await serve((_request, response) => {
			requests += 1;
			response.writeHead(500).end();
		});
		const changes = { tokens: new ListedTokens("t"), modelAliases: { mine: "auto" }, now: () => now };
		const { catalog } = accountFacts(url, changes);
		expect((await catalog.resolve({ name: "mine" })).candidates).toMatchObject([{ modelId: "default" }]);
		const first = requests;
		expect((await catalog.resolve({ name: "anything" })).candidates).toMatchObject([{ modelId: "anything" }]);
		expect(requests).toBe(first);
		now = 60_000;
		await catalog.resolve({ name: "anything" });
		expect(requests).toBe(first * 2);
	});

	it("suggests names", async () => {
		const { catalog } = accountFacts((await emulator()).url);
		await catalog.current();
		expect(catalog.suggest("claude-opus-4.6")[0]).toBe("claude-4.6-opus");
	});
});

describe("the cache", () => {
	it("answers the next start without the upstream", async () => {
		const { url, state } = await fragileBackend();
		const dataDir = temporaryFolder();
		const first = await ids(accountFacts(url, { dataDir }));
		const { requests } = state;
		const { models, stale } = await accountFacts(url, { dataDir }).catalog.current();
		expect(models.map(({ id }) => id)).toEqual(first);
		expect(stale).toBe(false);
		expect(state.requests).toBe(requests);
		expect(readdirSync(dataDir)).toEqual(["models.json"]);
		expect(statSync(join(dataDir, "models.json")).mode & 0o777).toBe(0o600);
	});

	it("is kept apart for each upstream and account", async () => {
		const { url, state } = await fragileBackend();
		const dataDir = temporaryFolder();
		await Promise.all([ids(accountFacts(url, { dataDir })), ids(accountFacts(url, { dataDir, accountId: "other" }))]);
		const { entries } = JSON.parse(readFileSync(join(dataDir, "models.json"), "utf8"));
		expect(Object.keys(entries).sort()).toEqual([`${url}/ other`, `${url}/ user_01DEMO`]);
		state.isUp = false;
		const stranger = accountFacts(url, { dataDir, accountId: "stranger", tokens: new ListedTokens("t") });
		await expect(stranger.catalog.current()).rejects.toMatchObject({ kind: "upstream-unavailable" });
		expect(JSON.stringify(entries)).not.toMatch(/eyJ/);
	});

	it("older than an hour is answered at once and renewed behind the scenes", async () => {
		const { url, state } = await fragileBackend();
		let now = Date.now();
		const { catalog } = accountFacts(url, { now: () => now });
		const { fetchedAt } = await catalog.current();
		now += HOUR;
		const { requests } = state;
		const old = await catalog.current();
		expect(old).toMatchObject({ fetchedAt, stale: true });
		await until(() => state.requests >= requests + 3);
		const renewed = await catalog.refresh();
		expect(renewed).toMatchObject({ stale: false, fetchedAt: new Date(now) });
	});

	it("is marked when the upstream fails, and asked for again after a minute", async () => {
		const { url, state } = await fragileBackend();
		let now = Date.now();
		const { catalog } = accountFacts(url, { now: () => now });
		await catalog.current();
		state.isUp = false;
		now += HOUR + 1;
		const stale = await catalog.upToDate();
		expect(stale).toMatchObject({ stale: true, problem: { kind: "upstream-unavailable" } });
		expect(stale.models).toHaveLength(9);
		const { requests } = state;
		await catalog.current();
		expect(state.requests).toBe(requests);
		state.isUp = true;
		now += 60_000;
		await catalog.current();
		await until(() => state.requests > requests);
		expect(await catalog.refresh()).toMatchObject({ stale: false, problem: undefined });
	});

	it("that is damaged, foreign or not writable is no error", async () => {
		const backend = await emulator();
		for (const content of ["{half", "[]", '{"version":2}', '{"version":1,"entries":{"x":{}}}']) {
			const dataDir = temporaryFolder();
			writeFileSync(join(dataDir, "models.json"), content);
			expect(await ids(accountFacts(backend.url, { dataDir }))).toHaveLength(9);
		}
		const file = join(temporaryFolder(), "file");
		writeFileSync(file, "");
		chmodSync(file, 0o400);
		expect(await ids(accountFacts(backend.url, { dataDir: join(file, "below") }))).toHaveLength(9);
	});

	it("remembers the spelling that worked", async () => {
		const backend = await emulator();
		const dataDir = temporaryFolder();
		const { catalog } = accountFacts(backend.url, { dataDir });
		const first = async (from: typeof catalog) => (await from.resolve({ name: "gpt-5.4-high" })).candidates[0].modelId;
		expect(await first(catalog)).toBe("gpt-5.4");
		await catalog.remember("gpt-5.4", "flattened");
		expect(await first(catalog)).toBe("gpt-5.4-high");
		expect(await first(accountFacts(backend.url, { dataDir }).catalog)).toBe("gpt-5.4-high");
		await catalog.refresh();
		expect(await first(catalog)).toBe("gpt-5.4-high");
	});
});
