import { expect, it } from "vitest";
import { ANONYMOUS, callerOfKey } from "../access/caller.ts";
import type { LedgerTotals, StoredKey } from "../store/store.ts";
import { type UsageFacts, usageAnswer } from "./usage-answer.ts";

const NOW = Date.UTC(2026, 10, 15, 12);
const keyNamed = (name: string): StoredKey => ({ id: name, name, hash: name, createdAt: 1 });
const KEYS = ["laptop", "server"].map(keyNamed);
const [laptop, server] = KEYS.map((key) => callerOfKey(key).id) as [string, string];

const totals = (changes: Partial<LedgerTotals>): LedgerTotals => ({
	day: "2026-11-15",
	caller: laptop,
	model: "auto",
	requests: 1,
	failures: 0,
	inputTokens: 100,
	outputTokens: 10,
	cachedTokens: 40,
	reasoningTokens: 5,
	...changes,
});

const FACTS: UsageFacts = {
	spans: { today: NOW - 1, week: NOW - 2, period: NOW - 3 },
	totals: {
		today: [],
		week: [totals({})],
		period: [
			totals({ day: "2026-11-14" }),
			totals({ model: "gpt", inputTokens: 900, failures: 1 }),
			totals({ caller: server, requests: 2, inputTokens: 5_000 }),
			totals({ caller: ANONYMOUS.id }),
			totals({ caller: "credential-1" }),
			totals({ caller: "credential-2" }),
		],
	},
	keys: KEYS,
	standings: [],
	quota: {
		readAt: NOW,
		pools: [
			{ name: "auto", usedPercent: 12.5, usedCents: 250, limitCents: 2000 },
			{ name: "api", usedPercent: undefined },
		],
		resetsAt: NOW + 5,
		autoModels: [],
	},
};

it("tells a key what it used itself, and how full the pools are", () => {
	const answer = usageAnswer({ caller: laptop, name: "laptop", isOwner: false }, FACTS);
	expect(answer).toMatchObject({ object: "usage", scope: "key", key: "laptop" });
	expect(answer.today).toEqual({
		since: "2026-11-15T11:59:59.999Z",
		...{ turns: 0, errors: 0, input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
		by_model: [],
	});
	expect(answer.week).toMatchObject({ turns: 1, input_tokens: 100 });
	expect(answer.period).toMatchObject({ turns: 2, errors: 1, input_tokens: 1_000, cached_tokens: 80 });
	expect(answer.period.by_model.map(({ model, turns }) => [model, turns])).toEqual([
		["gpt", 1],
		["auto", 1],
	]);
	expect(answer.period).not.toHaveProperty("by_key");
	expect(answer.pools).toEqual([
		{ name: "auto", used_percent: 12.5, resets_at: "2026-11-15T12:00:00.005Z" },
		{ name: "api", used_percent: null, resets_at: "2026-11-15T12:00:00.005Z" },
	]);
	expect(answer.pools_read_at).toBe("2026-11-15T12:00:00.000Z");
});

it("tells the owner what everybody used, by key", () => {
	const { period, scope, pools } = usageAnswer({ caller: server, isOwner: true }, FACTS);
	expect(scope).toBe("all");
	expect(period).toMatchObject({ turns: 7, input_tokens: 6_300 });
	expect(period.by_key!.map(({ key, turns }) => [key, turns])).toEqual([
		["server", 2],
		["laptop", 2],
		["a Cursor credential", 2],
		["without a key", 1],
	]);
	expect(pools![0]).toMatchObject({ used_cents: 250, limit_cents: 2000 });
});

it("says why there are no pools", () => {
	const answer = usageAnswer({ caller: laptop, isOwner: false }, { ...FACTS, quota: "You are not signed in." });
	expect(answer).not.toHaveProperty("pools");
	expect(answer).not.toHaveProperty("pools_read_at");
	expect(answer.pools_problem).toBe("You are not signed in.");
});

it("stays small, however many models were asked for", () => {
	const many = Array.from({ length: 1_000 }, (_, index) => totals({ model: `model-${index}` }));
	const facts = { ...FACTS, totals: { today: many, week: many, period: many } };
	const { today } = usageAnswer({ caller: laptop, isOwner: false }, facts);
	expect(today.by_model).toHaveLength(50);
	expect(today.turns).toBe(1_000);
});
