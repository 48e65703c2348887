// The answers for the page over 100,000 rows, in SQLite and in Redis, compared with what the rows say.
import { describe, expect, it, onTestFinished } from "vitest";
import { dataRoutes } from "../../src/page/data/data-routes.ts";
import { readModels } from "../../src/page/data/models.ts";
import type { PageDataParts } from "../../src/page/data/parts.ts";
import { readPlan } from "../../src/page/data/plan.ts";
import { readTotals } from "../../src/page/data/totals.ts";
import { readTurn } from "../../src/page/data/turn.ts";
import { readTurns } from "../../src/page/data/turns.ts";
import { openStore } from "../../src/store/open-store.ts";
import { closing } from "../kit/cleanup.ts";
import { temporaryFolder } from "../kit/program.ts";
import { startRedis } from "../store/redis-server.ts";
import { manyRow, manyRows } from "./many-rows.ts";

const COUNT = 100_000;
const NOW = new Date(2026, 10, 15, 12).getTime();

async function emptyRedis(): Promise<string> {
	const redis = await startRedis();
	onTestFinished(() => redis.stop());
	return redis.url;
}

async function filled(kind: "sqlite" | "redis"): Promise<PageDataParts> {
	const redis = kind === "redis" ? await emptyRedis() : "";
	const store = closing(await openStore({ dataDir: temporaryFolder(), redis, warn: expect.fail, now: () => NOW }));
	expect(store.kind).toBe(kind);
	for (const rows of manyRows(COUNT, NOW)) await store.appendLedger(rows);
	const away = () => Promise.reject(new Error("no account here"));
	return {
		store,
		keys: async () => [],
		standings: async () => [],
		quota: { read: away, last: undefined },
		ownAccount: away,
		news: async () => [],
		inside: {} as never,
		recordings: "",
		now: () => NOW,
	};
}

const ROWS = Array.from({ length: COUNT }, (_, index) => manyRow(index, COUNT, NOW));

describe.each(["sqlite", "redis"] as const)("in %s", (name) => {
	it("answers with what the rows say", async () => {
		const parts = await filled(name);
		const midnight = new Date(NOW).setHours(0, 0, 0, 0);
		const plan = await readPlan(parts);
		const since = (at: number) => ROWS.filter((row) => row.at >= at);
		expect(plan.spans.map(({ all }) => [all.turns, all.errors, all.inputTokens])).toEqual(
			[midnight, NOW - 7 * 86_400_000, NOW - 30 * 86_400_000].map((at) => [
				since(at).length,
				since(at).filter(({ errorKind }) => errorKind).length,
				since(at).reduce((sum, { inputTokens }) => sum + inputTokens, 0),
			]),
		);
		expect(plan.spans[2]!.byModel).toHaveLength(11);
		expect(plan.spans[2]!.byConversation).toHaveLength(10);
		expect(plan.days.reduce((sum, { turns }) => sum + turns, 0)).toBe(COUNT);
		expect(plan.days.at(-1)!.turns).toBe(since(midnight).length);
		expect(plan.hours.reduce((sum, { turns }) => sum + turns, 0)).toBe(COUNT);
		expect(plan.rungs.reduce((sum, { parked }) => sum + parked, 0)).toBe(COUNT / 4);
		const today = since(midnight).flatMap(({ firstTokenMs }) => firstTokenMs ?? []);
		const below = (limit: number) => today.filter((ms) => ms <= limit).length / today.length;
		expect(below(plan.firstTokens.at(-1)!.p50)).toBeCloseTo(0.5, 1);
		expect(below(plan.firstTokens.at(-1)!.p95)).toBeCloseTo(0.95, 1);
		expect(plan.firstTokens.at(-1)!.gatewayMs).toBeCloseTo(1.5);

		expect(await readTotals(parts, midnight)).toMatchObject({ turns: since(midnight).length });
		const { models } = await readModels(parts);
		expect(models.reduce((sum, { turns }) => sum + turns, 0)).toBe(COUNT - COUNT / 50);

		const newest = await readTurns(parts, { limit: "500" });
		expect([newest.rows.length, newest.total]).toEqual([500, COUNT]);
		expect(newest.rows.map(({ at }) => at)).toEqual(
			ROWS.slice(-500)
				.reverse()
				.map(({ at }) => at),
		);
		expect(newest.models).toHaveLength(11);
		const next = await readTurns(parts, { limit: "2", before: String(newest.rows.at(-1)!.id) });
		expect(next.rows.map(({ at }) => at)).toEqual([ROWS.at(-501)!.at, ROWS.at(-502)!.at]);
		const errors = await readTurns(parts, { error: "1", model: "model-3", slow: "2000" });
		const expected = ROWS.filter((row) => row.errorKind && row.model === "model-3" && row.latencyMs > 2_000);
		expect([errors.total, errors.rows[0]!.at]).toEqual([expected.length, expected.at(-1)!.at]);

		const turn = await readTurn(parts, newest.rows[0]!.id);
		expect(turn.turn).toEqual(newest.rows[0]);
		expect(turn.conversation.map(({ at }) => at)).toEqual(
			ROWS.filter(({ conversation }) => conversation === turn.turn.conversation).map(({ at }) => at),
		);
	});
});

it("has a route for everything in the contract", async () => {
	const paths = dataRoutes({} as PageDataParts).map(({ path }) => path.replace("/page/api/", ""));
	expect(paths).toEqual([
		"plan",
		"totals",
		"turns",
		"turns/:id",
		"models",
		"clients",
		"health",
		"report",
		"turns/:id/recording",
	]);
});
