import { describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { growthIn, slopeOf } from "../../../../bench/soak/growth.mjs";

const rest = (minutes: number, changed: object = {}) => ({
	minutes,
	rssMegabytes: 150,
	heapMegabytes: 60,
	descriptors: 30,
	handles: 6,
	upstreamStreams: 0,
	...changed,
});
const everyMinute = (count: number, changed: (minute: number) => object) =>
	Array.from({ length: count }, (_, minute) => rest(minute, changed(minute)));

describe("the judgement of a soak", () => {
	it("finds the slope of a line through noise", () => {
		const noise = [0.4, -0.4, 0.3, -0.3, 0.2, -0.2];
		const points = noise.map((extra, x) => ({ x, y: 100 + 2 * x + extra }));
		expect(slopeOf(points).slope).toBeCloseTo(2, 0);
		expect(slopeOf(points).error).toBeLessThan(0.2);
		expect(slopeOf([{ x: 1, y: 5 }])).toEqual({ slope: 0, error: 0 });
	});

	it("lets a process pass that stays as it is", () => {
		expect(growthIn(everyMinute(10, (minute) => ({ rssMegabytes: 150 + (minute % 3) })))).toEqual([]);
	});

	it.each([
		["RSS", { rss: 1.5 }, /RSS grew by 1\.50 MB a minute/],
		["the heap", { heap: 1.5 }, /heap grew by 1\.50 MB a minute/],
	])("judges %s of a long run by its slope", (_what, { rss = 0, heap = 0 }: { rss?: number; heap?: number }, told) => {
		const grown = everyMinute(10, (minute) => ({
			rssMegabytes: 150 + rss * minute,
			heapMegabytes: 60 + heap * minute,
		}));
		expect(growthIn(grown).join()).toMatch(told);
	});

	it("does not take the scatter of a long run for growth", () => {
		const scattered = [258, 240, 262, 221, 219, 230, 251, 238, 262, 249];
		expect(growthIn(everyMinute(10, (minute) => ({ rssMegabytes: scattered[minute] })))).toEqual([]);
		const grown = everyMinute(10, (minute) => ({ rssMegabytes: scattered[minute]! + 8 * minute }));
		expect(growthIn(grown).join()).toMatch(/RSS grew by/);
	});

	it("judges a short run by what it gained", () => {
		expect(growthIn([rest(0), rest(0.5, { rssMegabytes: 170 })])).toEqual([]);
		expect(growthIn([rest(0), rest(0.5, { rssMegabytes: 250 })]).join()).toMatch(/RSS grew by 100\.0 MB/);
		expect(growthIn([rest(0), rest(0.5, { heapMegabytes: 80 })]).join()).toMatch(/heap grew by 20\.0 MB/);
	});

	it.each([
		["descriptors", { descriptors: 40 }, "descriptors grew from 30 to 40"],
		["handles", { handles: 20 }, "handles grew from 6 to 20"],
		["an upstream stream", { upstreamStreams: 1 }, "1 upstream streams were open at rest (after 30 s)"],
	])("finds %s left behind", (_what, left, told) => {
		expect(growthIn([rest(0), rest(0.5, left)])).toEqual([told]);
	});
});
