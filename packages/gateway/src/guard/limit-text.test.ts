import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMIT_UNITS, LIMIT_WINDOWS } from "../store/spend/spend-limit.ts";
import { type LimitTerms, LimitTextError, limitText, parseLimit } from "./limit-text.ts";

const plain = { scope: {}, mode: "stop" } as const;

describe("a limit as people write it", () => {
	it.each<[string, LimitTerms]>([
		["20 turns/day", { ...plain, amount: 20, unit: "turns", window: "day" }],
		["20 Turns per day", { ...plain, amount: 20, unit: "turns", window: "day" }],
		["1 turn a minute", { ...plain, amount: 1, unit: "turns", window: "minute" }],
		["200k tokens/hour", { ...plain, amount: 200_000, unit: "tokens", window: "hour" }],
		["200,000 tokens / h", { ...plain, amount: 200_000, unit: "tokens", window: "hour" }],
		["1.5M tokens/week", { ...plain, amount: 1_500_000, unit: "tokens", window: "week" }],
		["5 turns", { ...plain, amount: 5, unit: "turns", window: "ever" }],
		[
			"9 turns/period on claude-*",
			{ ...plain, amount: 9, unit: "turns", window: "period", scope: { model: "claude-*" } },
		],
		[
			"30 turns per conversation",
			{ ...plain, amount: 30, unit: "turns", window: "ever", scope: { perConversation: true } },
		],
		[
			"30 turns/day on gpt-5 per conversation, watch",
			{ amount: 30, unit: "turns", window: "day", scope: { model: "gpt-5", perConversation: true }, mode: "watch" },
		],
		["80% of api", { ...plain, amount: 80, unit: "percent", pool: "api", window: "period" }],
		["12.5 percent of auto/day", { ...plain, amount: 12.5, unit: "percent", pool: "auto", window: "day" }],
		[
			"500 cents of api/week finish",
			{ ...plain, amount: 500, unit: "cents", pool: "api", window: "week", mode: "finish" },
		],
	])("%s", (text, terms) => {
		expect(parseLimit(text)).toEqual(terms);
	});

	it.each([
		["", "takes a limit"],
		["turns", "takes a limit"],
		["-3 turns/day", "takes a limit"],
		["0 turns/day", "at least 1"],
		["1.5 turns", "whole number"],
		["5 turns/fortnight", "takes a limit"],
		["80%", "names no pool"],
		["180% of api", "0 to 100"],
		["5 turns of api", "has no meaning"],
		["5% of api per conversation", "one conversation"],
		["5% of api/minute", "Cursor tells its figures late"],
		["20 turns/day; drop table keys", "takes a limit"],
	])("refuses %j", (text, reason) => {
		expect(() => parseLimit(text)).toThrow(LimitTextError);
		expect(() => parseLimit(text)).toThrow(reason);
	});

	it("is read again as it is written", () => {
		const terms = fc
			.record({
				amount: fc.integer({ min: 1, max: 1e9 }),
				unit: fc.constantFrom(...LIMIT_UNITS),
				window: fc.constantFrom(...LIMIT_WINDOWS),
				mode: fc.constantFrom("stop" as const, "watch" as const, "finish" as const),
				model: fc.option(fc.constantFrom("auto", "claude-*", "gpt-5.2")),
				each: fc.boolean(),
			})
			.map(({ amount, unit, window, mode, model, each }): LimitTerms => {
				const isShare = unit === "percent" || unit === "cents";
				const among = isShare && (window === "ever" || window === "minute") ? "period" : window;
				return {
					amount: unit === "percent" ? amount % 101 : amount,
					unit,
					window: among,
					mode,
					...(isShare && { pool: "api" as const }),
					scope: { ...(model && { model }), ...(each && !isShare && { perConversation: true as const }) },
				};
			});
		fc.assert(
			fc.property(terms, (limit) => {
				expect(parseLimit(limitText(limit))).toEqual(limit);
			}),
		);
	});
});
