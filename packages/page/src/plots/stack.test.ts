import { expect, it } from "vitest";
import { shares, stacked } from "./stack.ts";

it("puts lists on top of each other", () => {
	expect(
		stacked([
			[1, 2],
			[10, 20],
			[100, 200],
		]),
	).toEqual([
		[1, 2],
		[11, 22],
		[111, 222],
	]);
});

it("makes parts of 100, and nothing of nothing", () => {
	expect(
		shares([
			[1, 0],
			[3, 0],
		]),
	).toEqual([
		[25, 0],
		[75, 0],
	]);
});
