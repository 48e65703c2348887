import { setImmediate as nextIteration } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { ITERATION_BYTES, PacedCalls } from "./paced-calls.ts";

function setUp({ seesPauses = true } = {}) {
	const seen: (string | number)[] = [];
	const see = (what: string) => seesPauses && seen.push(what);
	const calls = new PacedCalls({ pause: () => see("pause"), resume: () => see("resume") });
	const add = (number: number, bytes: number) => calls.add(bytes, () => seen.push(number), undefined);
	return { seen, calls, add };
}

/** What was seen in each iteration of the event loop, up to the first without anything. */
async function iterations(seen: (string | number)[]): Promise<(string | number)[][]> {
	const all: (string | number)[][] = [];
	do {
		all.push(seen.splice(0));
		await nextIteration();
	} while (seen.length > 0);
	return all;
}

it("hands few pieces over at once", () => {
	const { seen, add, calls } = setUp();
	for (const number of [1, 2, 3]) add(number, 1000);
	calls.addLast(() => seen.push("end"));
	expect(seen).toEqual([1, 2, 3, "end"]);
});

it("delivers a limited amount per iteration, in order, including the end", async () => {
	const { seen, add, calls } = setUp({ seesPauses: false });
	for (const number of [1, 2, 3, 4, 5]) add(number, ITERATION_BYTES / 2);
	calls.addLast(() => seen.push("end"));
	expect(await iterations(seen)).toEqual([
		[1, 2],
		[3, 4],
		[5, "end"],
	]);
});

it.each([
	["all of several streams that are quick", 0, [5, 10, 15, 15]],
	["some of several streams that take long together", 6, [5, 7, 9, 11, 13, 15, 15]],
	["one of several streams that take long each", 20, [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15]],
])("lets %s go on in one iteration", async (_name, milliseconds, expected) => {
	let time = 0;
	const clock = vi.spyOn(performance, "now").mockImplementation(() => time);
	onTestFinished(() => clock.mockRestore());
	const all = Array.from({ length: 5 }, () => setUp({ seesPauses: false }));
	for (const { calls, seen } of all) {
		for (const number of [1, 2, 3]) {
			const call = () => {
				time += milliseconds;
				seen.push(number);
			};
			calls.add(ITERATION_BYTES, call, undefined);
		}
	}
	const counts: number[] = [];
	for (let iteration = 0; iteration < expected.length; iteration++) {
		counts.push(all.reduce((sum, { seen }) => sum + seen.length, 0));
		await nextIteration();
	}
	expect(counts).toEqual(expected);
	expect(all.map(({ seen }) => seen)).toEqual(Array(5).fill([1, 2, 3]));
	// The streams rest once more behind their last piece.
	for (let iteration = 0; iteration < 10; iteration++) await nextIteration();
});

it("has the peer wait where too much waits here, and until that is handed over", async () => {
	const { seen, add } = setUp();
	for (let number = 1; number <= 12; number++) add(number, ITERATION_BYTES);
	expect(seen).toEqual([1, "pause"]);
	const all = (await iterations(seen)).flat();
	expect(all).toEqual([1, "pause", 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "resume"]);
});

it("hands nothing over while it is paused, and the rest later, without the peer waiting any longer", async () => {
	const { seen, add, calls } = setUp();
	for (const number of [1, 2, 3]) add(number, ITERATION_BYTES);
	calls.pause();
	calls.addLast(() => seen.push("end"));
	expect(await iterations(seen)).toEqual([[1, "pause"]]);
	calls.resume();
	expect(await iterations(seen)).toEqual([[], [2], [3], ["end", "resume"]]);
	calls.pause();
	calls.resume();
	expect(seen).toEqual(["pause", "resume"]);
});

it("may be paused by a piece, and forgets what waits when it is told to", async () => {
	const { seen, add, calls } = setUp();
	add(1, ITERATION_BYTES);
	calls.add(1, () => calls.pause(), undefined);
	add(3, 1);
	expect((await iterations(seen)).flat()).toEqual([1, "pause"]);
	calls.clear();
	calls.resume();
	expect((await iterations(seen)).flat()).toEqual(["resume"]);
});
