import { describe, expect, it } from "vitest";
import { atOnce } from "../../time/slices.ts";
import { CallIds } from "./call-ids.ts";
import { argumentsObject, argumentsText, FREEFORM_INPUT, MOST_ARGUMENT_VALUES } from "./tool-arguments.ts";

const parsed = (text: string) => atOnce(argumentsObject(text));
const list = (count: number) => JSON.stringify({ a: Array(count).fill(1) });

describe("arguments in a history", () => {
	it.each([
		['{ "a": 1.0 }', '{ "a": 1.0 }'],
		["print('hello')", `{"input":"print('hello')"}`],
		['["a"]', '{"input":"[\\"a\\"]"}'],
		["", "{}"],
	])("%s as text is an object", (given, sent) => {
		expect(argumentsText(given)).toBe(sent);
	});

	it("as text stay an object, of however many values", () => {
		const long = list(MOST_ARGUMENT_VALUES + 1);
		expect(argumentsText(long)).toBe(long);
	});

	it("are an object up to so many values, and beyond them the text that they are", () => {
		expect(parsed(list(MOST_ARGUMENT_VALUES))).toEqual({ a: Array(MOST_ARGUMENT_VALUES).fill(1) });
		const long = list(MOST_ARGUMENT_VALUES + 1);
		expect(parsed(long)).toEqual({ [FREEFORM_INPUT]: long });
	});

	it("may hold a text of any length", () => {
		const text = "a, b, ".repeat(100_000);
		expect(parsed(JSON.stringify({ text }))).toEqual({ text });
	});
});

describe("ids of calls", () => {
	it("stay apart, in work that does not grow with their number squared", () => {
		const ids = new CallIds();
		const given = Array.from({ length: 60_000 }, (_, index) =>
			String.fromCharCode(0x4e00 + (index % 20_000)).repeat(1 + index / 20_000),
		);
		expect(new Set(given.map((id) => ids.clean(id))).size).toBe(new Set(given).size);
		expect(ids.clean(given[5]!)).toBe(ids.clean(given[5]!));
	});
});
