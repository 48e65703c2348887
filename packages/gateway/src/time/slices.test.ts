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
function slowTurns() {
	let time = 0;
	const turns = { pauses: 0, now: () => time++, next: async () => void turns.pauses++ };
	return turns satisfies SliceScheduler;
}

it("the next turn begins when this one is over", async () => {
	const order: string[] = [];
	// What the system reports comes in the middle of a turn.
	await new Promise((reported) => stat(".", reported));
	const next = yieldToEventLoop().then(() => order.push("next"));
	setImmediate(() => order.push("this"));
	await next;
	expect(order).toEqual(["this", "next"]);
});

describe("work in slices", () => {
	it("has the result that it has at once", async () => {
		expect(atOnce(count(1000))).toBe(1000);
		expect(await inSlices(count(1000), slowTurns())).toBe(1000);
	});

	it("lets others have a turn after every slice, and never before", async () => {
		const turns = slowTurns();
		await inSlices(count(SLICE_MS - 1), turns);
		expect(turns.pauses).toBe(0);
		await inSlices(count(100 * SLICE_MS), turns);
		expect(turns.pauses).toBe(100);
	});

	it("passes on what it throws", async () => {
		function* fails(): Sliced<void> {
			yield;
			throw new Error("no");
		}
		expect(() => atOnce(fails())).toThrow("no");
		await expect(inSlices(fails(), slowTurns())).rejects.toThrow("no");
	});
});

describe("turns of the event loop", () => {
	it("hold one slice each, however many wait", async () => {
		const scheduled: (() => void)[] = [];
		const turns = new FairScheduler(
			() => 0,
			(release) => void scheduled.push(release),
		);
		const done: number[] = [];
		const all = [1, 2, 3].map((each) => turns.next().then(() => done.push(each)));
		for (let turn = 1; turn <= 3; turn++) {
			expect(scheduled).toHaveLength(1);
			scheduled.pop()?.();
			await all[turn - 1];
			expect(done).toHaveLength(turn);
		}
		expect(scheduled).toHaveLength(0);
		expect(done).toEqual([1, 2, 3]);
	});
});

describe("stretches of a text", () => {
	it("are the text again, and no pair of surrogates is torn", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 2, max: 5 }), (text, length) => {
				const all = [...stretches(text, length)];
				const isTorn = all.slice(0, -1).some((each) => /[\ud800-\udbff]$/.test(each));
				return all.join("") === text && all.every((each) => each.length <= length) && !isTorn;
			}),
		);
	}, 30_000);
});
