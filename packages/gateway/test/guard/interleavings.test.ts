// Turns of several gateways that begin, speak and end in any order, also across midnight: a limit is never exceeded by
// more than what was under way.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PlanShare } from "../../src/guard/plan-share.ts";
import { SpendGuard } from "../../src/guard/spend-guard.ts";
import { TOKENS_WRITTEN_AT_ONCE, type TurnSpend } from "../../src/guard/turn-spend.ts";
import { counterName, spanAt } from "../../src/guard/windows.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import type { SpendLimit } from "../../src/store/spend/spend-limit.ts";

const CHARACTERS_PER_TOKEN = 4;
const LARGEST_PIECE = 400;
const HOUR = 3_600_000;
const START = Date.parse("2026-03-28T20:00Z");
const RUNS = Number(process.env.CURSORWIRE_TEST_RUNS ?? 500);

const step = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ begin: fc.integer({ min: 1, max: 120 }), at: fc.nat(1) }) },
	{
		weight: 6,
		arbitrary: fc.record({
			speak: fc.nat(20),
			tokens: fc.integer({ min: 1, max: LARGEST_PIECE }),
			reachesClient: fc.boolean(),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({ end: fc.nat(20), told: fc.option(fc.double({ min: 0.5, max: 1, noNaN: true })) }),
	},
	{ weight: 1, arbitrary: fc.record({ fail: fc.nat(20) }) },
	{ weight: 1, arbitrary: fc.record({ hoursLater: fc.integer({ min: 1, max: 12 }) }) },
);

interface Open {
	spend: TurnSpend;
	/** The beginning of the day that it counts in. */
	day: number;
	tokens: number;
	/** The client has got something of it. */
	hasReachedClient: boolean;
}

const limitOf = (amount: number, unit: "turns" | "tokens"): SpendLimit => ({
	...{ id: "l", amount, unit, window: "day", scope: {}, mode: "stop", createdAt: 0, changedAt: 0 },
});

async function guardsOf(limit: SpendLimit, count: number, now: () => number) {
	const store = new MemoryStore({ now });
	await store.putLimit(limit);
	const share = new PlanShare({ read: () => Promise.reject(new Error()), readings: store, now });
	const guards = Array.from({ length: count }, () => {
		return new SpendGuard({ store, share, now, tell: () => {}, warn: () => {} });
	});
	for (const guard of guards) {
		await guard.start();
		guard.close();
	}
	return { store, guards };
}

describe.each([1, 2])("whatever turns of %i gateways do at the same time", (count) => {
	it.each(["turns", "tokens"] as const)("a limit of %s holds", async (unit) => {
		// A stream may bring one more piece before it is ended, and what it has not written yet is unknown to the others.
		const unseen = count === 1 ? 0 : TOKENS_WRITTEN_AT_ONCE;
		const perTurn = unit === "turns" ? 0 : LARGEST_PIECE + unseen;
		const runs = fc.array(step, { maxLength: 80, size: "max" });
		const property = fc.asyncProperty(fc.integer({ min: 1, max: 2_000 }), runs, async (amount, steps) => {
			let now = START;
			const limit = limitOf(amount, unit);
			const { store, guards } = await guardsOf(limit, count, () => now);
			const open: Open[] = [];
			const spent = new Map<number, number>();
			const mostAtOnce = new Map<number, number>();
			const openOn = (day: number) => open.filter((turn) => turn.day === day);
			/** What was spent on a day, and what is under way. */
			const taken = (day: number) =>
				openOn(day).reduce((sum, { tokens }) => sum + (unit === "turns" ? 1 : tokens), spent.get(day) ?? 0);
			/** `tokens`: as Cursor told them; undefined where the turn broke off. */
			const close = (turn: Open, hasFailedEarly: boolean, tokens: number | undefined, spends: boolean) => {
				open.splice(open.indexOf(turn), 1);
				turn.spend.settle({ hasFailedEarly, tokens, lineage: undefined });
				const cost = unit === "turns" ? 1 : (tokens ?? turn.tokens);
				if (spends) spent.set(turn.day, (spent.get(turn.day) ?? 0) + cost);
			};
			const speak = (turn: Open, tokens: number, reachesClient: boolean) => {
				turn.tokens += tokens;
				// What a limit has cut is spent, also where it was the first piece, which the client never gets.
				if (turn.spend.spoke(tokens * CHARACTERS_PER_TOKEN, false))
					close(turn, !turn.hasReachedClient, undefined, true);
				else turn.hasReachedClient ||= reachesClient;
			};
			const begin = async (prompt: number, at: number) => {
				const request = { caller: "c", isGuest: false, model: "m", messages: [], warnings: [] };
				const inputTokens = () => prompt;
				const spend = (await guards[at % count]!.turn({ ...request, inputTokens, alsoNamed: () => [] }))!;
				if ((await spend.admit(false, false)) !== undefined) return;
				const day = spanAt("day", now).start;
				open.push({ spend, day, tokens: prompt, hasReachedClient: false });
				const atOnce = openOn(day).length;
				// Whoever was let in had room beside everything that had been said by then.
				expect(taken(day)).toBeLessThanOrEqual(amount + (atOnce - 1) * unseen);
				mostAtOnce.set(day, Math.max(mostAtOnce.get(day) ?? 0, atOnce));
			};
			for (const each of steps) {
				if ("hoursLater" in each) now += each.hoursLater * HOUR;
				else if ("begin" in each) await begin(each.begin, each.at);
				else {
					const index = "speak" in each ? each.speak : "end" in each ? each.end : each.fail;
					const turn = open[index % (open.length || 1)];
					if (!turn) continue;
					if ("speak" in each) speak(turn, each.tokens, each.reachesClient);
					else if ("end" in each) close(turn, false, Math.ceil(turn.tokens * (each.told ?? 1)), true);
					// What fails before its first byte has spent nothing, and what fails later has.
					else close(turn, !turn.hasReachedClient, undefined, turn.hasReachedClient);
				}
				for (const day of mostAtOnce.keys()) {
					expect(taken(day)).toBeLessThanOrEqual(amount + mostAtOnce.get(day)! * perTurn);
				}
			}
			while (open.length > 0) close(open[0]!, false, open[0]!.tokens, true);
			for (const [day, cost] of spent) {
				expect(await store.readSpend([counterName(limit, { start: day })])).toEqual([cost]);
			}
			for (const guard of guards) expect(guard.counters.size).toBe(0);
		});
		await fc.assert(property, { numRuns: RUNS });
	});
});
