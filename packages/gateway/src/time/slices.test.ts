import { stat } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	atOnce,
	FairScheduler,
	inSlices,
	SLICE_MS,
	type Sliced,
	type SliceScheduler,
	stretches,
	yieldToEventLoop,
} from "./slices.ts";

function* count(steps: number): Sliced<number> {
	for (let step = 0; step < steps; step++) yield;
	return steps;
}

/** Every look at the clock takes a millisecond. */
function slowScheduler() {
	let time = 0;
	const scheduler = { pauses: 0, now: () => time++, next: async () => void scheduler.pauses++ };
	return scheduler satisfies SliceScheduler;
}

it("other work of this iteration runs first", async () => {
	const order: string[] = [];
	// Events of the system arrive in the middle of an iteration.
	await new Promise((reported) => stat(".", reported));
	const next = yieldToEventLoop().then(() => order.push("next"));
	setImmediate(() => order.push("this"));
	await next;
	expect(order).toEqual(["this", "next"]);
});

describe("work in slices", () => {
	it("has the result that it has at once", async () => {
		expect(atOnce(count(1000))).toBe(1000);
		expect(await inSlices(count(1000), slowScheduler())).toBe(1000);
	});

	it("is done at once if it is short", () => {
		expect(inSlices(count(SLICE_MS - 1), slowScheduler())).toBe(SLICE_MS - 1);
		expect(inSlices(count(SLICE_MS), slowScheduler())).toBeInstanceOf(Promise);
	});

	it("lets other work run after every slice, and never before", async () => {
		const scheduler = slowScheduler();
		await inSlices(count(SLICE_MS - 1), scheduler);
		expect(scheduler.pauses).toBe(0);
		await inSlices(count(100 * SLICE_MS), scheduler);
		expect(scheduler.pauses).toBe(100);
	});

	it("passes on what it throws", async () => {
		function* fails(steps: number): Sliced<void> {
			yield* count(steps);
			throw new Error("no");
		}
		expect(() => atOnce(fails(1))).toThrow("no");
		expect(() => inSlices(fails(1), slowScheduler())).toThrow("no");
		await expect(inSlices(fails(SLICE_MS), slowScheduler())).rejects.toThrow("no");
	});
});

describe("the event loop", () => {
	it("runs one slice per iteration, however many wait", async () => {
		const scheduled: (() => void)[] = [];
		const scheduler = new FairScheduler(
			() => 0,
			(release) => void scheduled.push(release),
		);
		const done: number[] = [];
		const all = [1, 2, 3].map((each) => scheduler.next().then(() => done.push(each)));
		for (let iteration = 1; iteration <= 3; iteration++) {
			expect(scheduled).toHaveLength(1);
			scheduled.pop()?.();
			await all[iteration - 1];
			expect(done).toHaveLength(iteration);
		}
		expect(scheduled).toHaveLength(0);
		expect(done).toEqual([1, 2, 3]);
	});
});

describe("stretches of a text", () => {
	it("are the text again when joined, and no surrogate pair is cut", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 2, max: 5 }), (text, length) => {
				const all = [...stretches(text, length)];
				const isTorn = all.slice(0, -1).some((each) => /[\ud800-\udbff]$/.test(each));
				return all.join("") === text && all.every((each) => each.length <= length) && !isTorn;
			}),
		);
	});
});
