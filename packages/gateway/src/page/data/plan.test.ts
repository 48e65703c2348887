import { expect, it } from "vitest";
import { callerOfKey } from "../../access/caller.ts";
import type { LedgerDay, LedgerSums, NamedLedgerSums, SumsSince } from "../../store/ledger-reads.ts";
import type { StoredKey } from "../../store/store.ts";
import { spansAt } from "../../usage/spans.ts";
import { type PlanFacts, planAnswer } from "./plan.ts";

const NOW = new Date(2026, 10, 15, 12).getTime();
const KEYS: StoredKey[] = ["laptop", "server"].map((name) => ({ id: name, name, hash: name, createdAt: 1 }));
const NOTHING = { turns: 0, errors: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };

const sums = (turns: number): LedgerSums => ({ ...NOTHING, turns, inputTokens: turns * 100, outputTokens: turns });
const named = (name: string, turns: number): NamedLedgerSums => ({ name, ...sums(turns) });
const since = (changes: Partial<SumsSince> = {}): SumsSince => ({
	...{ all: sums(0), byCaller: [], byModel: [], byConversation: [] },
	...changes,
});
const day = (name: string, changes: Partial<LedgerDay> = {}): LedgerDay => ({
	...{ day: name, rungs: {}, ...sums(1) },
	...changes,
});

const facts = (changes: Partial<PlanFacts> = {}): PlanFacts => ({
	...{ now: NOW, quota: undefined, readings: [], keys: KEYS, spans: spansAt(NOW), days: [], hours: [], standings: [] },
	sums: { today: since(), week: since(), period: since() },
	...changes,
});

it("works with an empty ledger", () => {
	const plan = planAnswer(facts());
	expect(plan.pools).toEqual([]);
	expect(plan.spans.map(({ span, all }) => [span, all])).toEqual([
		["today", NOTHING],
		["week", NOTHING],
		["period", NOTHING],
	]);
	expect(plan.days).toHaveLength(30);
	expect(plan.days[0]).toEqual({ day: "2026-10-17", ...NOTHING });
	expect(plan.days.at(-1)!.day).toBe("2026-11-15");
	expect(plan.firstTokens).toEqual([]);
	expect(plan.rungs).toHaveLength(30);
	expect(plan.limits).toEqual([]);
	expect(plan.addLimit).toBe(`cursorwire limits add "200 turns/day"`);
});

it("names callers by their keys, and puts those of one name together", () => {
	const [laptop, server] = KEYS.map((key) => callerOfKey(key).id) as [string, string];
	const byCaller = [
		named(laptop, 5),
		named("credential-1", 4),
		named(server, 6),
		named("credential-2", 3),
		named("anonymous", 1),
	];
	const { spans } = planAnswer(facts({ sums: { today: since({ byCaller }), week: since(), period: since() } }));
	expect(spans[0]!.byClient.map(({ name, turns }) => [name, turns])).toEqual([
		["a Cursor credential", 7],
		["server", 6],
		["laptop", 5],
		["without a key", 1],
	]);
});

it("shows the ten most expensive conversations, and fifty models", () => {
	const many = Array.from({ length: 200 }, (_, index) => named(`name-${index}`, 200 - index));
	const week = since({ byModel: many, byConversation: many });
	const { spans } = planAnswer(facts({ sums: { today: since(), week, period: since() } }));
	expect(spans[1]!.byConversation.map(({ name }) => name)).toEqual(many.slice(0, 10).map(({ name }) => name));
	expect(spans[1]!.byModel).toHaveLength(50);
});

it("fills in days without turns, and has times only for days with a first token", () => {
	const plan = planAnswer(
		facts({
			days: [
				day("2026-11-13", { firstTokenP50: 300, firstTokenP95: 900, gatewayP50: 2 }),
				day("2026-11-15", { rungs: { new: 2, parked: 3, none: 1 } }),
				day("2026-01-01"),
			],
		}),
	);
	expect(plan.days.filter(({ turns }) => turns > 0).map((one) => one.day)).toEqual(["2026-11-13", "2026-11-15"]);
	expect(plan.firstTokens).toEqual([{ day: "2026-11-13", p50: 300, p95: 900, gatewayMs: 2 }]);
	expect(plan.rungs.at(-1)).toEqual({ day: "2026-11-15", new: 2, parked: 3, checkpoint: 0, rebuild: 0 });
	expect(plan.rungs.at(-2)).toEqual({ day: "2026-11-14", new: 0, parked: 0, checkpoint: 0, rebuild: 0 });
});
