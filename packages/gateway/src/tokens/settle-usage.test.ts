import { describe, expect, it } from "vitest";
import type { RunWork } from "../turn/told-usage.ts";
import { NOTHING_SPENT, settleCache, settleInput, settleOutput, toldInput } from "./settle-usage.ts";

const SAID = { textTokens: 40, thinkingTokens: 10, callTokens: 30 };
const run = (fields: Partial<RunWork>): RunWork => ({
	isOnePrompt: true,
	inputTokens: 100,
	cachedTokens: 0,
	cacheWriteTokens: 0,
	outputTokens: 60,
	reasoningTokens: 15,
	...fields,
});

describe("the output of a response", () => {
	it.each([
		["the run's total", { run: run({}) }, NOTHING_SPENT, { outputTokens: 60, reasoningTokens: 15 }],
		[
			"what is left of it after earlier responses",
			{ run: run({}) },
			{ outputTokens: 20, reasoningTokens: 5 },
			{ outputTokens: 40, reasoningTokens: 10 },
		],
		[
			"its own running count, where more was reported before than there was",
			{ outputTokens: 12, run: run({}) },
			{ outputTokens: 59, reasoningTokens: 20 },
			{ outputTokens: 12, reasoningTokens: 0 },
		],
	])("is %s, without an estimate", (_, told, spent, output) => {
		expect(settleOutput(told, spent, undefined)).toEqual(output);
	});

	it("needs an estimate where no total is told, or nothing is left of it", () => {
		const spent = { outputTokens: 70, reasoningTokens: 0 };
		expect(settleOutput({ outputTokens: 5 }, NOTHING_SPENT, undefined)).toBeUndefined();
		expect(settleOutput({ run: run({}) }, spent, undefined)).toBeUndefined();
		expect(settleOutput({ run: run({}) }, spent, SAID)).toEqual({ outputTokens: 80, reasoningTokens: 10 });
	});

	it.each([
		["nothing was counted", undefined, 80],
		["calls were counted", 90, 90],
		["calls were left out", 55, 85],
		["less was counted than was said", 20, 80],
	])("that ends in calls, where %s", (_, outputTokens, expected) => {
		const told = outputTokens === undefined ? {} : { outputTokens };
		expect(settleOutput(told, NOTHING_SPENT, SAID)?.outputTokens).toBe(expected);
	});
});

describe("the input of a response", () => {
	it("is the run's, where the model was asked once, and otherwise what filled the window before the output", () => {
		const context = { tokens: 500, outputShare: 0.5 };
		expect(toldInput({ run: run({}), context }, 60)).toBe(100);
		expect(toldInput({ run: run({ isOnePrompt: false }), context }, 60)).toBe(470);
		expect(toldInput({ context: { tokens: 500, outputShare: 0 } }, 60)).toBe(500);
		expect(toldInput({ run: run({ isOnePrompt: false }) }, 60)).toBeUndefined();
		expect(toldInput({ context: { tokens: 50, outputShare: 1 } }, 60)).toBeUndefined();
	});

	it.each([
		["a conversation's first figure", 70, undefined, 70],
		["more than was estimated before", 120, { inputTokens: 100, toldInputTokens: undefined }, 120],
		["less than was estimated before", 70, { inputTokens: 100, toldInputTokens: undefined }, 100],
		["still less than the estimate, but growing", 80, { inputTokens: 100, toldInputTokens: 70 }, 100],
		["less than the upstream itself said before", 60, { inputTokens: 100, toldInputTokens: 90 }, 60],
	])("told as %s", (_, figure, earlier, expected) => {
		expect(settleInput(figure, earlier && { ...earlier, spent: NOTHING_SPENT })).toBe(expected);
	});

	it("comes from a cache as told, or in proportion where the run had several prompts", () => {
		const cached = { cachedTokens: 80, cacheWriteTokens: 10 };
		expect(settleCache(run(cached), 100)).toEqual({ cachedInputTokens: 80, cacheWriteTokens: 10 });
		const several = { ...cached, isOnePrompt: false, inputTokens: 200 };
		expect(settleCache(run(several), 100)).toEqual({ cachedInputTokens: 40, cacheWriteTokens: 5 });
		expect(settleCache(undefined, 100)).toEqual({ cachedInputTokens: 0, cacheWriteTokens: 0 });
	});
});
