// `GET /v1/usage` of a real gateway: what each caller may see, and what Cursor says of the pools.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import type { UsageAnswer } from "../../src/usage/usage-answer.ts";
import { BLOCKS } from "../docs/commands/collect.ts";
import { closing } from "../kit/cleanup.ts";
import { addKey, withKeys } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";

const body = (model = "auto") => ({ model, messages: [{ role: "user", content: "hello" }] });
const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } });

async function usageOf(rig: TestGateway, key = rig.key, path = "/v1/usage"): Promise<UsageAnswer> {
	const response = await rig.fetch(path, withKey(key));
	expect(response.status).toBe(200);
	expect(response.headers.get("cache-control")).toMatch(/^private, max-age=/);
	return (await response.json()) as UsageAnswer;
}

/** Rows are written a moment after a turn, and sums are repeated for a moment. */
async function usageAfter(rig: TestGateway, turns: number, key = rig.key): Promise<UsageAnswer> {
	for (;;) {
		const usage = await usageOf(rig, key);
		if (usage.today.turns >= turns) return usage;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

it("shows a key its own use and the owner everybody's, with the pools", async () => {
	const dataDir = temporaryFolder();
	const { key: laptop } = await addKey(dataDir, "laptop");
	const rig = await startTestGateway({ settings: { dataDir } });
	expect((await rig.post("/v1/chat/completions", body())).status).toBe(200);
	for (let turn = 0; turn < 2; turn++) {
		expect((await rig.post("/v1/chat/completions", body(), withKey(laptop))).status).toBe(200);
	}
	expect((await rig.post("/v1/chat/completions", body("no-such-model"), withKey(laptop))).status).toBe(404);

	const all = await usageAfter(rig, 4);
	expect(all.scope).toBe("all");
	expect(all.today).toMatchObject({ turns: 4, errors: 1 });
	expect(all.today.by_key).toContainEqual(expect.objectContaining({ key: "laptop", turns: 3, errors: 1 }));
	expect(all.week.turns).toBe(4);
	expect(all.period.turns).toBe(4);
	expect(all.pools!.map(({ name }) => name)).toEqual(["auto", "api"]);
	expect(all.pools![1]).toMatchObject({ used_cents: 310, limit_cents: 2_000 });
	expect(Date.parse(all.pools![0]!.resets_at!)).toBeGreaterThan(Date.now());

	const own = await usageAfter(rig, 3, laptop);
	expect(own).toMatchObject({ scope: "key", key: "laptop", today: { turns: 3, errors: 1 } });
	expect(own.today).not.toHaveProperty("by_key");
	expect(own.today.by_model.map(({ model }) => model).sort()).toEqual(["auto", "no-such-model"]);
	expect(own.today.input_tokens).toBeGreaterThan(0);
	expect(own.pools![0]!.used_percent).toBeCloseTo(all.pools![0]!.used_percent!);
	expect(own.pools![0]).not.toHaveProperty("used_cents");

	const store = closing(await openStore({ dataDir: rig.dataDir, warn: expect.fail }));
	expect((await store.poolReadings(0)).map(({ pool }) => pool)).toEqual(["auto", "api"]);

	expect((await usageOf(rig, rig.key, "/usage")).object).toBe("usage");
	expect((await rig.fetch("/v1/usage", withKey("cw_wrong"))).status).toBe(401);
});

it("says why there are no pools, and shows the rest", async () => {
	const rig = await startTestGateway({ settings: { apiKey: "" } });
	const { pools, pools_problem, today } = await usageOf(rig);
	expect(pools).toBeUndefined();
	expect(pools_problem).toMatch(/not signed in to Cursor.*`cursorwire login`/);
	expect(today.turns).toBe(0);
});

it("keeps the owner's pools from a guest, whose turns run on another account", async () => {
	const rig = await startTestGateway({ settings: { acceptCursorCredentials: true } });
	const usage = await usageOf(rig, "key_test");
	expect(usage).toMatchObject({ scope: "key", today: { turns: 0 } });
	expect(usage.pools).toBeUndefined();
	expect(usage.pools_problem).toMatch(/your own Cursor account/);
});

it("refuses a key that can only read metrics", async () => {
	const dataDir = temporaryFolder();
	const { key } = await withKeys(dataDir, (ring) => ring.add("prometheus", { kind: "metrics" }));
	const rig = await startTestGateway({ settings: { dataDir } });
	for (const path of ["/v1/usage", "/usage"]) expect((await rig.fetch(path, withKey(key))).status).toBe(403);
});

it("fills the status line of docs/usage.md", async () => {
	const rig = await startTestGateway();
	expect((await rig.post("/v1/messages", { ...body(), max_tokens: 100 })).status).toBe(200);
	await usageAfter(rig, 1);
	const file = join(temporaryFolder(), "cursorwire-status.mjs");
	writeFileSync(file, BLOCKS.find(({ text }) => text.startsWith("// cursorwire-status.mjs"))!.text);
	const line = async (url: string) => {
		const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: rig.key };
		const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
		return text(child.stdout);
	};
	expect(await line(rig.url)).toMatch(/^1 turns, \d+k tokens today · auto \d+ % · api \d+ %\n$/);
	expect(await line("http://127.0.0.1:9")).toBe("cursorwire does not answer\n");
});
