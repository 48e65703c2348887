import { expect, it } from "vitest";
import { clock, duration, share } from "./numbers.ts";

it.each([
	[0, "0\u202fms"],
	[840, "840\u202fms"],
	[12_000, "12\u202fs"],
	[61_000, "1\u202fm 01\u202fs"],
	[7_500_000, "2\u202fh 05\u202fm"],
	[-3_000, "−3\u202fs"],
])("writes %i ms as %j", (ms, text) => {
	expect(duration(ms)).toBe(text);
});

it.each([
	[-500, "0:00"],
	[59_999, "0:59"],
	[3_723_000, "1:02:03"],
])("has a clock that shows %i ms as %j", (ms, text) => {
	expect(clock(ms)).toBe(text);
});

it("has no share of nothing", () => {
	expect(share(0, 0)).toBe(0);
	expect(share(1, 4)).toBe(25);
});
