import { expect, it } from "vitest";
import { costLines, type LaunchCost } from "./launch-cost.ts";

const COST: LaunchCost = {
	turns: 3,
	errors: 0,
	refused: 0,
	input_tokens: 12_345,
	cached_tokens: 10_000,
	output_tokens: 678,
	reasoning_tokens: 0,
	longest_wait_ms: 4_230,
	last_turn_at: 1,
	under_way: 0,
	pools: [
		{ name: "auto", used_percent: 20.4 },
		{ name: "api", used_percent: null },
	],
};
const before = (percent: number | null) => [{ name: "auto", used_percent: percent }];
const LATE = "by Cursor's figures, which come late and count your other devices too";

it.each<[string, LaunchCost | undefined, LaunchCost["pools"], string[]]>([
	[
		"all there is to say",
		COST,
		before(20),
		[
			"This launch cost 3 turns, 12,345 tokens in (10,000 of them cached), 678 out; the longest wait was 4.2 s.",
			`Of the plan it used 0.4 % of its auto pool, now at 20.4 %, ${LATE}.`,
		],
	],
	[
		"a single turn, which failed, and pools that did not move",
		{ ...COST, turns: 1, errors: 1, cached_tokens: 0, reasoning_tokens: 5 },
		before(20.4),
		[
			"This launch cost 1 turn (1 failed), 12,345 tokens in, 678 out (5 of them reasoning); the longest wait was 4.2 s.",
			`No more of the plan is used than before, ${LATE}.`,
		],
	],
	[
		"requests that a limit refused, and very little of a pool",
		{ ...COST, refused: 2 },
		before(20.3999),
		[
			"This launch cost 3 turns, 12,345 tokens in (10,000 of them cached), 678 out; the longest wait was 4.2 s.",
			"A limit refused 2 requests.",
			`Of the plan it used less than 0.01 % of its auto pool, now at 20.4 %, ${LATE}.`,
		],
	],
	[
		"nothing but a refusal",
		{ ...COST, turns: 0, refused: 1 },
		before(20),
		["This launch used nothing: no turn was made.", "A limit refused 1 request."],
	],
	["no turns", { ...COST, turns: 0 }, before(20), ["This launch used nothing: no turn was made."]],
	["no answer", undefined, [], ["What this launch cost is not known: the gateway no longer responds."]],
])("tells %s", (_, cost, pools, lines) => {
	expect(costLines(cost, pools)).toEqual(lines);
});

it.each([[before(null)], [[]]])("says nothing of a plan that Cursor says nothing of", (pools) => {
	expect(costLines(COST, pools)[1]).toBe("Cursor does not say how much of the plan is used.");
});
