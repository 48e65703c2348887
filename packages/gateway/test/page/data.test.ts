// What the views of the page get from a real gateway with the emulator behind it.
import { hostname, userInfo } from "node:os";
import { expect, it } from "vitest";
import { callerOfKey } from "../../src/access/caller.ts";
import { CLIENT_NAMES } from "../../src/connect/clients.ts";
import type {
	ClientsAnswer,
	HealthAnswer,
	ModelsAnswer,
	PlanAnswer,
	TotalsAnswer,
	TurnAnswer,
	TurnsAnswer,
} from "../../src/page/contract.ts";
import { openStore } from "../../src/store/open-store.ts";
import { addLimit, limitedKey } from "../guard/books.ts";
import { addKey } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { ledgerRow } from "../store/sample-records.ts";
import { openPage, type PageClient } from "./page-client.ts";

const ask = (rig: TestGateway, model = "auto", key = rig.key) =>
	rig.post(
		"/v1/chat/completions",
		{ model, messages: [{ role: "user", content: "hello" }] },
		{ headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } },
	);

async function read<T>(page: PageClient, path: string): Promise<T> {
	const response = await page.fetch(path);
	expect(response.status, path).toBe(200);
	expect(response.headers.get("cache-control")).toBe("no-store");
	return (await response.json()) as T;
}

/** Rows are written a moment after their turn. */
async function turnsAfter(page: PageClient, total: number, query = ""): Promise<TurnsAnswer> {
	for (;;) {
		const turns = await read<TurnsAnswer>(page, `turns${query}`);
		if (turns.total >= total) return turns;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

const PATHS = [
	"plan",
	"totals?since=0",
	"turns",
	"turns/1",
	"models",
	"clients",
	"health",
	"report",
	"turns/1/recording",
];

it("shows nothing without a session", async () => {
	const rig = await startTestGateway();
	for (const path of PATHS) {
		const response = await fetch(`${rig.url}/page/api/${path}`);
		expect([path, response.status]).toEqual([path, 401]);
		// The owner's key is no session: keys never belong into a browser.
		expect([path, (await rig.fetch(`/page/api/${path}`)).status]).toEqual([path, 401]);
	}
});

it("shows limits with what is used of them, and those of a key beside it", async () => {
	const dataDir = temporaryFolder();
	await addLimit({ dataDir }, "20 turns/day");
	const { key, id } = await limitedKey({ dataDir }, "4 turns");
	const rig = await startTestGateway({ settings: { dataDir } });
	expect((await ask(rig, "auto", key)).status).toBe(200);
	const page = await openPage(rig);
	const { limits } = await read<PlanAnswer>(page, "plan");
	const own = { name: "4 turns", used: 1, limit: 4, unit: "turns", key: "task" };
	expect(limits).toMatchObject([{ name: "20 turns/day", used: 1, limit: 20 }, own]);
	expect(limits[0]!.resetsAt).toBeGreaterThan(Date.now());
	const { keys, commands } = await read<ClientsAnswer>(page, "clients");
	expect(keys.find((record) => record.id === id)!.limits).toMatchObject([own]);
	expect(commands.find(({ client }) => client === "codex")!.launch).toBe("cursorwire launch codex");
});

it("works with an empty ledger", async () => {
	const rig = await startTestGateway();
	const page = await openPage(rig);
	expect(await read<TurnsAnswer>(page, "turns")).toEqual({ rows: [], total: 0, clients: [], models: [] });
	expect(await read<TotalsAnswer>(page, "totals?since=0")).toMatchObject({ turns: 0, inputTokens: 0 });
	const plan = await read<PlanAnswer>(page, "plan");
	expect(plan.pools.map(({ name }) => name)).toEqual(["auto", "api"]);
	expect(plan.pools[1]).toMatchObject({ usedPercent: 15.5, usedCents: 310, limitCents: 2_000 });
	expect(plan.pools[1]!.readings).toHaveLength(1);
	expect(plan.spans.map(({ span, all }) => [span, all.turns])).toEqual([
		["today", 0],
		["week", 0],
		["period", 0],
	]);
	expect(plan.days).toHaveLength(30);
	expect((await read<ModelsAnswer>(page, "models")).models.length).toBeGreaterThan(3);
	expect((await page.fetch("turns/1")).status).toBe(404);
});

it("shows who asked what, in lists, in detail and in sums", async () => {
	const dataDir = temporaryFolder();
	const { key: laptop } = await addKey(dataDir, "laptop");
	const rig = await startTestGateway({ settings: { dataDir } });
	expect((await ask(rig)).status).toBe(200);
	expect((await ask(rig, "auto", laptop)).status).toBe(200);
	expect((await ask(rig, "no-such-model", laptop)).status).toBe(404);
	const page = await openPage(rig);

	const { rows, clients, models } = await turnsAfter(page, 3);
	expect(rows.map(({ key, model, status }) => [key, model, status])).toEqual([
		["laptop", "no-such-model", 404],
		["laptop", "auto", 200],
		[expect.any(String), "auto", 200],
	]);
	expect(rows[0]!.nextStep).toContain("cursorwire models");
	expect(clients).toContain("laptop");
	expect(models).toEqual(["auto", "no-such-model"]);

	expect((await read<TurnsAnswer>(page, "turns?client=laptop")).total).toBe(2);
	expect((await read<TurnsAnswer>(page, "turns?client=nobody")).rows).toEqual([]);
	expect((await read<TurnsAnswer>(page, "turns?client=laptop&error=1")).rows).toHaveLength(1);
	expect((await read<TurnsAnswer>(page, "turns?model=auto&path=new")).total).toBe(2);
	const older = await read<TurnsAnswer>(page, `turns?limit=1&before=${rows[0]!.id}`);
	expect([older.rows.map(({ id }) => id), older.total]).toEqual([[rows[1]!.id], 3]);
	expect((await page.fetch("turns?limit=x")).status).toBe(400);

	const { conversation } = rows[1]!;
	const ofConversation = await read<TurnsAnswer>(page, `turns?conversation=${conversation}`);
	expect([ofConversation.rows.map(({ id }) => id), ofConversation.total]).toEqual([[rows[1]!.id], 1]);
	expect((await read<TurnsAnswer>(page, "turns?conversation=unknown")).rows).toEqual([]);

	const turn = await read<TurnAnswer>(page, `turns/${rows[1]!.id}`);
	expect(turn.turn).toEqual(rows[1]);
	expect(turn.timeline[0]).toEqual({ step: "request", atMs: 0 });
	expect(turn.timeline.at(-1)!.step).toBe("end");
	expect(turn.timeline.map(({ step }) => step)).toContain("text");
	expect(turn.anatomy!.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(0);
	expect(turn.conversation.map(({ id }) => id)).toEqual([rows[1]!.id]);

	const plan = await read<PlanAnswer>(page, "plan");
	for (const { all, byClient } of plan.spans) {
		expect(all).toMatchObject({ turns: 3, errors: 1 });
		expect(byClient).toContainEqual(expect.objectContaining({ name: "laptop", turns: 2, errors: 1 }));
	}
	expect(plan.days.at(-1)).toMatchObject({ turns: 3, errors: 1 });
	expect(plan.firstTokens).toHaveLength(1);
	expect(plan.rungs.at(-1)!.new).toBe(3);
	expect(plan.hours.reduce((sum, { turns }) => sum + turns, 0)).toBe(3);

	const totals = await read<TotalsAnswer>(page, "totals?since=0");
	expect(totals).toMatchObject({ turns: 3, errors: 1 });
	expect(totals.pools).toHaveLength(2);
	expect(await read<TotalsAnswer>(page, `totals?since=${totals.now + 60_000}`)).toMatchObject({ turns: 0 });

	const known = await read<ModelsAnswer>(page, "models");
	expect(known.models.reduce((sum, { turns }) => sum + turns, 0)).toBe(2);
	expect(known.unknown).toEqual([{ name: "no-such-model", turns: 1 }]);

	const { keys, commands } = await read<ClientsAnswer>(page, "clients");
	expect(keys.find(({ name }) => name === "laptop")).toMatchObject({ kind: "client", today: { turns: 2, errors: 1 } });
	expect(commands).toHaveLength(CLIENT_NAMES.length);
	expect(JSON.stringify({ keys, commands, rows, turn })).not.toContain("cw_");
});

it("examines itself, and writes a report without anything personal", async () => {
	const rig = await startTestGateway();
	expect((await ask(rig, "no-such-model")).status).toBe(404);
	const page = await openPage(rig);
	await turnsAfter(page, 1);
	const { findings, drift, hosts } = await read<HealthAnswer>(page, "health");
	expect(findings.map(({ name }) => name)).toEqual(
		expect.arrayContaining(["Node", "Data folder", "Login", "Models", "Quota", "Gateway", "Breaker", "Drift"]),
	);
	expect(findings.filter(({ status }) => status === "error")).toEqual([]);
	expect(drift).toEqual([]);
	for (const { state } of hosts) expect(state).toBe("closed");

	const response = await page.fetch("report");
	expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w-]+\.json"$/);
	const text = await response.text();
	const report = JSON.parse(text);
	expect(report.findings).toHaveLength(findings.length);
	expect(report.lastErrors).toHaveLength(1);
	expect(report.lastErrors[0]).toMatch(/ chat no-such-model \w+ 404 model-not-found$/);
	expect(report.settings.apiKey.value).toBe("(set)");
	for (const secret of [rig.key, "key_test", hostname(), `/${userInfo().username}/`])
		expect(text).not.toContain(secret);
	// No turn was sent for it.
	expect((await read<TurnsAnswer>(page, "turns")).total).toBe(1);
});

it("lists at most 500 rows, and finds all turns of callers that share a name", async () => {
	const rig = await startTestGateway();
	const store = await openStore({ dataDir: rig.dataDir, warn: expect.fail });
	const callers = ["credential-a", "credential-b", callerOfKey({ id: "x", name: "", hash: "", createdAt: 0 }).id];
	const row = (index: number) =>
		ledgerRow({ at: Date.now(), caller: callers[index % 3]!, model: `<b>${index % 2}</b>` });
	await store.appendLedger(Array.from({ length: 900 }, (_, index) => row(index)));
	await store.close();
	const page = await openPage(rig);
	const all = await read<TurnsAnswer>(page, "turns?limit=9999");
	expect([all.rows.length, all.total]).toEqual([500, 900]);
	expect([...all.clients].sort()).toEqual(["a Cursor credential", "a key that is gone"]);
	const named = await read<TurnsAnswer>(page, "turns?limit=400&client=a%20Cursor%20credential");
	const known = all.rows.filter(({ key }) => key === "a Cursor credential").map(({ id }) => id);
	expect(named.rows.map(({ id }) => id).slice(0, known.length)).toEqual(known);
	expect([named.rows.length, named.total]).toEqual([400, 600]);
});
