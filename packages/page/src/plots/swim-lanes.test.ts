import { expect, it } from "vitest";
import { turnRow } from "../../dev/data.ts";
import { swimLanes } from "./swim-lanes.ts";

const turn = (id: number, from: number, to: number, more = {}) => ({
	...turnRow(id, 9, 0),
	...{ id, at: to, latencyMs: to - from, waitedMs: undefined, tools: undefined },
	...more,
});

it("shows runs, the tools between them, and how long a run waited", () => {
	const turns = [turn(1, 0, 40, { tools: ["Bash"] }), turn(2, 60, 100, { waitedMs: 20 })];
	expect(swimLanes(turns).map(({ lane, from, width }) => [lane, from, width])).toEqual([
		["run", 0, 40],
		["tools", 40, 20],
		["run", 60, 40],
		["waits", 40, 20],
	]);
});

it("draws a long pause short, so that the turns stay visible", () => {
	const [first, second] = swimLanes([turn(1, 0, 50), turn(2, 1_000_000, 1_000_050)]);
	expect(first!.width).toBeCloseTo(second!.width);
	expect(first!.width).toBeGreaterThan(40);
	expect(second!.from + second!.width).toBeCloseTo(100);
	expect(second!.from).toBeGreaterThan(first!.width);
});

it("has nothing to show without turns", () => {
	expect(swimLanes([])).toEqual([]);
});
