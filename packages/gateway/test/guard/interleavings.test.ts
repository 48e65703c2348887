// Turns that begin, speak and end in any order: a limit is never exceeded by more than what was under way.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PlanShare } from "../../src/guard/plan-share.ts";
import { SpendGuard } from "../../src/guard/spend-guard.ts";
import type { TurnSpend } from "../../src/guard/turn-spend.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import type { SpendLimit } from "../../src/store/spend/spend-limit.ts";

const CHARACTERS_PER_TOKEN = 4;
const LARGEST_PIECE = 50;

const step = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ begin: fc.integer({ min: 1, max: 120 }) }) },
	{
		weight: 5,
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
);

interface Open {
	spend: TurnSpend;
	tokens: number;
	/** The client has got something of it. */
	hasReachedClient: boolean;
}

async function guardOf(limit: Pick<SpendLimit, "amount" | "unit">): Promise<SpendGuard> {
	const store = new MemoryStore({ now: () => 0 });
	const rest = { id: "l", window: "day", scope: {}, mode: "stop", createdAt: 0, changedAt: 0 } as const;
	await store.putLimit({ ...limit, ...rest });
	const share = new PlanShare({ read: () => Promise.reject(new Error()), readings: store, now: () => 0 });
	const guard = new SpendGuard({ store, share, now: () => 0, tell: () => {}, warn: () => {} });
	await guard.start();
	guard.close();
	return guard;
}

describe("whatever turns do at the same time", () => {
	it.each(["turns", "tokens"] as const)("a limit of %s holds", async (unit) => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 600 }), fc.array(step, { maxLength: 80 }), async (amount, steps) => {
				const guard = await guardOf({ amount, unit });
				const open: Open[] = [];
				let spent = 0;
				let mostAtOnce = 0;
				/** `tokens`: as Cursor told them; undefined where the turn broke off. */
				const close = (turn: Open, hasFailedEarly: boolean, tokens: number | undefined, spends: boolean) => {
					open.splice(open.indexOf(turn), 1);
					turn.spend.settle({ hasFailedEarly, tokens, lineage: undefined });
					if (spends) spent += unit === "turns" ? 1 : (tokens ?? turn.tokens);
				};
				const speak = (turn: Open, tokens: number, reachesClient: boolean) => {
					turn.tokens += tokens;
					// What a limit has cut is spent, also where it was the first piece, which the client never gets.
					if (turn.spend.spoke(tokens * CHARACTERS_PER_TOKEN, false))
						close(turn, !turn.hasReachedClient, undefined, true);
					else turn.hasReachedClient ||= reachesClient;
				};
				for (const each of steps) {
					if ("begin" in each) {
						const request = { caller: "c", isGuest: false, model: "m", messages: [], warnings: [] };
						const inputTokens = () => each.begin;
						const spend = (await guard.turn({ ...request, inputTokens, alsoNamed: () => [] }))!;
						if ((await spend.admit(false, false)) === undefined) {
							open.push({ spend, tokens: each.begin, hasReachedClient: false });
						}
						mostAtOnce = Math.max(mostAtOnce, open.length);
						continue;
					}
					const turn = open[("speak" in each ? each.speak : "end" in each ? each.end : each.fail) % (open.length || 1)];
					if (!turn) continue;
					if ("speak" in each) speak(turn, each.tokens, each.reachesClient);
					else if ("end" in each) close(turn, false, Math.ceil(turn.tokens * (each.told ?? 1)), true);
					// What fails before its first byte has spent nothing, and what fails later has.
					else close(turn, !turn.hasReachedClient, undefined, turn.hasReachedClient);
					// Each stream under way may bring one more piece before it is ended.
					const underWay = unit === "turns" ? 0 : mostAtOnce * LARGEST_PIECE;
					expect(spent).toBeLessThanOrEqual(amount + underWay);
				}
				while (open.length > 0) close(open[0]!, false, open[0]!.tokens, true);
				const used = (await guard.standings())[0]?.used;
				expect(used).toBe(spent);
				expect(guard.counters.size).toBe(0);
			}),
			{ numRuns: 300 },
		);
	});
});
