import { expect, it } from "vitest";
import { phasesOf } from "./phases.ts";

it("reaches from each step to the next, and from the last to the end", () => {
	const steps = [
		{ step: "parked", atMs: -500 },
		{ step: "results", atMs: 0 },
		{ step: "thinking", atMs: 40 },
		{ step: "tool call", atMs: 90 },
	];
	expect(phasesOf(steps, 100)).toEqual([
		{ step: "parked", kind: "waiting", fromMs: -500, toMs: 0 },
		{ step: "results", kind: "connecting", fromMs: 0, toMs: 40 },
		{ step: "thinking", kind: "thinking", fromMs: 40, toMs: 90 },
		{ step: "tool call", kind: "tool", fromMs: 90, toMs: 100 },
	]);
});
