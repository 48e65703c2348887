import { expect, it } from "vitest";
import { rowsInView, scrollTo } from "./window.ts";

it("draws the rows in view and some around them", () => {
	expect(rowsInView(0, 300, 30, 100_000)).toEqual({ first: 0, end: 22 });
	expect(rowsInView(30_000, 300, 30, 100_000)).toEqual({ first: 988, end: 1022 });
	expect(rowsInView(30 * 99_990, 300, 30, 100_000)).toEqual({ first: 99_978, end: 100_000 });
});

it("draws nothing of nothing, also when it was scrolled before", () => {
	expect(rowsInView(0, 300, 30, 0)).toEqual({ first: 0, end: 0 });
	expect(rowsInView(90_000, 300, 30, 1)).toEqual({ first: 1, end: 1 });
});

it("scrolls as little as possible", () => {
	expect(scrollTo(5, 0, 300, 30)).toBe(0);
	expect(scrollTo(10, 0, 300, 30)).toBe(30);
	expect(scrollTo(2, 300, 300, 30)).toBe(60);
});
