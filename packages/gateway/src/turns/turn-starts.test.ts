import { describe, expect, it } from "vitest";
import { STARTS_MS, TurnStarts } from "./turn-starts.ts";

/** How many starts of the test fit into an iteration. */
const FITTING = 4;

/** Starts in an event loop that the test turns. Each of them takes its time. */
function setUp() {
	const scheduled: (() => void)[] = [];
	const begun: number[] = [];
	let now = 0;
	const starts = new TurnStarts(
		(action) => void scheduled.push(action),
		() => now,
	);
	const begin = (number: number, ms = STARTS_MS / FITTING) =>
		starts.begin((asked) => {
			now += ms;
			return begun.push(asked);
		}, number);
	/** How many actions are scheduled. Ends the iteration. */
	const nextIteration = () => {
		const actions = scheduled.splice(0);
		for (const action of actions) action();
		return actions.length;
	};
	return { begun, starts, begin, nextIteration };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("starts of turns", () => {
	it("begin at once where they are few", () => {
		const { begun, begin, nextIteration } = setUp();
		for (const number of numbers(FITTING)) expect(begin(number)).toBe(number + 1);
		expect(begun).toEqual(numbers(FITTING));
		expect(nextIteration()).toBe(1);
		expect(nextIteration()).toBe(0);
	});

	it("take a limited time in each iteration of the event loop, and keep their order", async () => {
		const { begun, begin, nextIteration } = setUp();
		const all = numbers(3 * FITTING - 1).map((number) => begin(number));
		for (const iteration of [1, 2]) {
			expect(begun).toEqual(numbers(iteration * FITTING));
			expect(nextIteration()).toBe(1);
		}
		expect(begun).toEqual(numbers(3 * FITTING - 1));
		expect(await Promise.all(all)).toEqual(numbers(3 * FITTING - 1).map((number) => number + 1));
	});

	it("begin one in each iteration where one alone takes longer than there is time", () => {
		const { begun, begin, nextIteration } = setUp();
		for (const number of numbers(3)) begin(number, 10 * STARTS_MS);
		expect(begun).toEqual([0]);
		nextIteration();
		expect(begun).toEqual([0, 1]);
		nextIteration();
		expect(begun).toEqual([0, 1, 2]);
	});

	it("that come later do not overtake those that wait", () => {
		const { begun, begin, nextIteration } = setUp();
		for (const number of numbers(2 * FITTING + 1)) begin(number);
		nextIteration();
		begin(1_000);
		while (nextIteration() > 0) {}
		expect(begun).toEqual([...numbers(2 * FITTING + 1), 1_000]);
	});

	it("fail alone", async () => {
		const { starts, begun, begin, nextIteration } = setUp();
		const fail = (): never => {
			throw new Error("no");
		};
		expect(() => starts.begin(fail, 0)).toThrow("no");
		for (const number of numbers(FITTING)) begin(number);
		const failing = starts.begin(fail, 0);
		begin(99);
		nextIteration();
		await expect(failing).rejects.toThrow("no");
		expect(begun.at(-1)).toBe(99);
	});
});
