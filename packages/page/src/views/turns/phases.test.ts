import { expect, it } from "vitest";
import { phasesOf } from "./phases.ts";

it("reaches from each step to the next; nothing follows the last", () => {
	const steps = [
		{ step: "parked", atMs: -500 },
		{ step: "results", atMs: 0 },
		{ step: "thinking", atMs: 40 },
		{ step: "tool call", atMs: 90 },
		{ step: "end", atMs: 100 },
	];
	expect(phasesOf(steps)).toEqual([
		{ step: "parked", kind: "waiting", fromMs: -500, toMs: 0 },
		{ step: "results", kind: "connecting", fromMs: 0, toMs: 40 },
		{ step: "thinking", kind: "thinking", fromMs: 40, toMs: 90 },
		{ step: "tool call", kind: "tool", fromMs: 90, toMs: 100 },
		{ step: "end", kind: "end", fromMs: 100 },
	]);
});
