import { describe, expect, it } from "vitest";
import { flushSoon } from "../time/flush-soon.ts";
import { ENDS_MS, TurnEnds } from "./turn-ends.ts";

/** How many ends of the test fit into an iteration. */
const FITTING = 4;

/** Ends in an event loop that the test turns. Each of them takes its time. */
function setUp() {
	const scheduled: (() => void)[] = [];
	const happened: (number | string)[] = [];
	let now = 0;
	const ends = new TurnEnds(
		(action) => void scheduled.push(action),
		() => now,
	);
	const spend = () => {
		now += ENDS_MS / FITTING;
	};
	const add = (number: number, meanwhile = () => {}) =>
		ends.add({
			endNow: () => {
				spend();
				happened.push(number);
				meanwhile();
			},
			postponed: () => {
				happened.push(`${number} waits`);
				flushSoon({ flush: () => happened.push(`words of ${number}`) });
			},
		});
	/** Ends the iteration. Returns how many actions were scheduled for its end. */
	const nextIteration = () => {
		const actions = scheduled.splice(0);
		for (const action of actions) action();
		return actions.length;
	};
	return { happened, add, spend, nextIteration };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("ends of turns", () => {
	it("come behind the deltas that the same iteration has brought", () => {
		const { happened, add, nextIteration } = setUp();
		add(1);
		flushSoon({ flush: () => happened.push("delta") });
		expect(happened).toEqual([]);
		expect(nextIteration()).toBe(1);
		expect(happened).toEqual(["delta", 1]);
		expect(nextIteration()).toBe(0);
	});

	it("take a limited time in each iteration, keep their order, and are told once that they have to wait", () => {
		const { happened, add, nextIteration } = setUp();
		for (const number of numbers(2 * FITTING + 1)) add(number);
		nextIteration();
		const late = numbers(2 * FITTING + 1).slice(FITTING);
		const told = (those: number[]) => [
			...those.map((each) => `${each} waits`),
			...those.map((each) => `words of ${each}`),
		];
		expect(happened.splice(0)).toEqual([...numbers(FITTING), ...told(late)]);
		add(1_000);
		expect(nextIteration()).toBe(1);
		expect(happened.splice(0)).toEqual([...late.slice(0, FITTING), ...told([1_000])]);
		expect(nextIteration()).toBe(1);
		expect(happened).toEqual([late.at(-1), 1_000]);
		expect(nextIteration()).toBe(0);
	});

	it("that are added while others end follow them", () => {
		const { happened, add, nextIteration } = setUp();
		const ended = () => happened.filter((each) => typeof each === "number");
		add(1, () => {
			for (const number of numbers(FITTING)) add(100 + number);
		});
		add(2);
		nextIteration();
		expect(ended()).toEqual([1, 2, 100, 101]);
		while (nextIteration() > 0) {}
		expect(ended()).toEqual([1, 2, 100, 101, 102, 103]);
	});

	it("come one in each iteration where one alone takes longer than there is time", () => {
		const { happened, add, spend, nextIteration } = setUp();
		const slowly = () => {
			for (let count = 0; count < FITTING; count++) spend();
		};
		add(1, slowly);
		add(2, slowly);
		for (const ended of [[1], [1, 2]]) {
			nextIteration();
			expect(happened.filter((each) => typeof each === "number")).toEqual(ended);
		}
	});
});
