import { describe, expect, it } from "vitest";
import { flushSoon } from "../time/flush-soon.ts";
import { ENDS_PER_ITERATION, TurnEnds } from "./turn-ends.ts";

/** Ends in an event loop that the test turns. */
function setUp() {
	const scheduled: (() => void)[] = [];
	const happened: (number | string)[] = [];
	const ends = new TurnEnds((action) => void scheduled.push(action));
	return {
		happened,
		add: (number: number) => ends.add(() => happened.push(number)),
		/** Ends the iteration. Returns how many actions were scheduled for its end. */
		nextIteration: () => {
			const actions = scheduled.splice(0);
			for (const action of actions) action();
			return actions.length;
		},
	};
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("ends of turns", () => {
	it("come behind the deltas that the same iteration has brought", () => {
		const { happened, add, nextIteration } = setUp();
		expect(add(1)).toBe(true);
		flushSoon({ flush: () => happened.push("delta") });
		expect(happened).toEqual([]);
		expect(nextIteration()).toBe(1);
		expect(happened).toEqual(["delta", 1]);
		expect(nextIteration()).toBe(0);
	});

	it("are bounded in each iteration of the event loop, keep their order and know whether they have to wait", () => {
		const { happened, add, nextIteration } = setUp();
		const all = numbers(2 * ENDS_PER_ITERATION + 1);
		expect(all.map(add)).toEqual(all.map((number) => number < ENDS_PER_ITERATION));
		nextIteration();
		expect(happened).toEqual(numbers(ENDS_PER_ITERATION));
		expect(add(1_000)).toBe(false);
		while (nextIteration() > 0) {}
		expect(happened).toEqual([...all, 1_000]);
	});
});
