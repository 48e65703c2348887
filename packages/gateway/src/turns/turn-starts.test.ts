import { describe, expect, it } from "vitest";
import { STARTS_PER_ITERATION, TurnStarts } from "./turn-starts.ts";

/** Starts in an event loop that the test turns. */
function setUp() {
	const scheduled: (() => void)[] = [];
	const begun: number[] = [];
	const starts = new TurnStarts((action) => void scheduled.push(action));
	return {
		begun,
		starts,
		begin: (number: number) => starts.begin((asked) => begun.push(asked), number),
		/** How many actions are scheduled. Ends the iteration. */
		nextIteration: () => {
			const actions = scheduled.splice(0);
			for (const action of actions) action();
			return actions.length;
		},
	};
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("starts of turns", () => {
	it("begin at once where they are few", () => {
		const { begun, begin, nextIteration } = setUp();
		for (const number of numbers(STARTS_PER_ITERATION)) expect(begin(number)).toBe(number + 1);
		expect(begun).toEqual(numbers(STARTS_PER_ITERATION));
		expect(nextIteration()).toBe(1);
		expect(nextIteration()).toBe(0);
	});

	it("are bounded in each iteration of the event loop, and keep their order", async () => {
		const { begun, begin, nextIteration } = setUp();
		const all = numbers(3 * STARTS_PER_ITERATION - 1).map(begin);
		for (const iteration of [1, 2]) {
			expect(begun).toEqual(numbers(iteration * STARTS_PER_ITERATION));
			expect(nextIteration()).toBe(1);
		}
		expect(begun).toEqual(numbers(3 * STARTS_PER_ITERATION - 1));
		expect(await Promise.all(all)).toEqual(numbers(3 * STARTS_PER_ITERATION - 1).map((number) => number + 1));
	});

	it("that come later do not overtake those that wait", () => {
		const { begun, begin, nextIteration } = setUp();
		for (const number of numbers(3 * STARTS_PER_ITERATION)) begin(number);
		nextIteration();
		begin(1_000);
		nextIteration();
		nextIteration();
		expect(begun).toEqual([...numbers(3 * STARTS_PER_ITERATION), 1_000]);
	});

	it("fail alone", async () => {
		const { starts, begun, begin, nextIteration } = setUp();
		const fail = (): never => {
			throw new Error("no");
		};
		expect(() => starts.begin(fail, 0)).toThrow("no");
		for (const number of numbers(STARTS_PER_ITERATION - 1)) begin(number);
		const failing = starts.begin(fail, 0);
		begin(99);
		nextIteration();
		await expect(failing).rejects.toThrow("no");
		expect(begun.at(-1)).toBe(99);
	});
});
