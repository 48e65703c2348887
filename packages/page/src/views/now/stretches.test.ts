import { expect, it } from "vitest";
import { lanes } from "../../../dev/data.ts";
import { stretchesOf, trackSpan } from "./stretches.ts";

const lane = { ...lanes(0, false)[0]!, startedAt: 0 };

it("has a round scale that the oldest lane fits into", () => {
	expect(trackSpan([], 0)).toBe(15_000);
	expect(trackSpan([{ startedAt: 0 }, { startedAt: 50_000 }], 61_000)).toBe(120_000);
});

it("shows the states to scale, and what was not seen as one part", () => {
	const track = [
		{ state: "thinking" as const, from: 20_000 },
		{ state: "streaming" as const, from: 30_000 },
	];
	expect(stretchesOf({ ...lane, track }, 50_000, 100_000)).toEqual([
		{ state: "before", from: 0, to: 20, ms: 20_000 },
		{ state: "thinking", from: 20, to: 30, ms: 10_000 },
		{ state: "streaming", from: 30, to: 50, ms: 20_000 },
	]);
});
