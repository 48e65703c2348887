import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pausesOf } from "../../../test/kit/slices.ts";
import { atOnce, SLICE_LENGTH } from "../../time/slices.ts";
import { GatewayError } from "../../turn/error.ts";
import { jsonBodyParser, PARSED_ALONE, PARSED_AT_ONCE } from "./json-body.ts";
import { jsonLayout } from "./json-layout.ts";
import { MAX_JSON_DEPTH, MAX_JSON_NODES } from "./json-limits.ts";
import { parseInSlices } from "./json-slices.ts";

/** Small enough that everything has to be cut. */
const LARGE = 7;
const sliced = (text: string) => atOnce(parseInSlices(Buffer.from(text), { large: LARGE }));

function outcome(parse: () => unknown): unknown {
	try {
		return { value: parse() };
	} catch (error) {
		expect(error).toBeInstanceOf(SyntaxError);
		return "no JSON";
	}
}

describe("JSON that is parsed in slices", () => {
	it("is what it is when it is parsed at once, spaced in any way", () => {
		const spaces = fc.constantFrom(undefined, 1, "\t", "\n");
		const json = fc.json({ depthSize: "medium", stringUnit: "binary", noUnicodeString: false });
		fc.assert(
			fc.property(json, spaces, (compact, space) => {
				const text = JSON.stringify(JSON.parse(compact), undefined, space);
				return JSON.stringify(sliced(text)) === JSON.stringify(JSON.parse(text));
			}),
			{ numRuns: 500 },
		);
	});

	it("is no JSON wherever it would be none at once, whatever is broken in it", () => {
		const scraps = [...'{}[],:"\\ 1ae-.', '"abc"', "\\u12", "true", "null", '"a":', "\n", "é"];
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...scraps), { maxLength: 30 }), (pieces) => {
				const text = pieces.join("");
				fc.pre(text !== "");
				expect(outcome(() => sliced(text))).toEqual(outcome(() => JSON.parse(text)));
			}),
			{ numRuns: 3000 },
		);
	});

	it("is no JSON when one byte of it is gone", () => {
		const text = JSON.stringify({
			first: ["a long text", { second: [1, 2, "another \\ \n text"] }, "é\u0001"],
			third: null,
		});
		for (let at = 0; at < text.length; at++) {
			const broken = text.slice(0, at) + text.slice(at + 1);
			expect(
				outcome(() => sliced(broken)),
				broken,
			).toEqual(outcome(() => JSON.parse(broken)));
		}
	});

	it.each([
		[
			"blanks everywhere",
			`${" ".repeat(20)}[${" ".repeat(20)}1${" ".repeat(20)},${" ".repeat(20)}2 ]${" ".repeat(20)}`,
		],
		["nothing but blanks in a list", `[${" ".repeat(20)}]`],
		["escapes and nothing else", `"${"\\u0001".repeat(50)}"`],
		["backslashes and nothing else", `"${"\\\\".repeat(50)}"`],
		["quotes and nothing else", `"${'\\"'.repeat(50)}"`],
		["pairs of surrogates as escapes", `"${"\\ud83d\\ude00".repeat(50)}"`],
		["characters of several bytes", `"${"é日😀".repeat(50)}"`],
		["a long name", `{"${"k".repeat(50)}":"${"v".repeat(50)}","b":1}`],
		["a name that comes twice", `{"a":"${"x".repeat(50)}","b":2,"a":3}`],
		["names with a meaning in the language", `{"__proto__":{"a":"${"x".repeat(50)}"},"constructor":1,"__proto__x":2}`],
	])("may have %s", (_name, text) => {
		const value = sliced(text);
		expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
		expect({}).not.toHaveProperty("a");
	});

	it.each([
		["nothing between commas", `["${"x".repeat(50)}",,"${"y".repeat(50)}"]`],
		["nothing behind a comma", `["${"x".repeat(50)}",${" ".repeat(20)}]`],
		["nothing before a comma", `[,"${"x".repeat(50)}"]`],
		["a bracket of another kind", `["${"x".repeat(50)}"}`],
		["something behind a long text", `["${"x".repeat(50)}" 1]`],
		["two values", `"${"x".repeat(50)}" "${"y".repeat(50)}"`],
		["a member without a name", `{1:"${"x".repeat(50)}"}`],
		["a member without a colon", `{"a" "${"x".repeat(50)}"}`],
		["a line break in a text", `"${"x".repeat(50)}\n${"y".repeat(50)}"`],
	])("must not have %s", (_name, text) => {
		expect(() => JSON.parse(text)).toThrow(SyntaxError);
		expect(() => sliced(text)).toThrow(SyntaxError);
	});

	it.each([
		["before it", (blanks: string) => `${blanks}[1]`],
		["behind it", (blanks: string) => `[1]${blanks}`],
		["in an empty list", (blanks: string) => `[${blanks}]`],
		["in an empty object", (blanks: string) => `{${blanks}}`],
		["before a name", (blanks: string) => `{"a":1,${blanks}"b":2}`],
		["before a colon", (blanks: string) => `{"a"${blanks}:1}`],
		["behind a value", (blanks: string) => `[1${blanks},2]`],
	])("is passed over in slices where megabytes of blanks stand %s", (_name, around) => {
		const text = around(" \t\r\n".repeat(1 << 19));
		const looked = pausesOf(jsonLayout(Buffer.from(text), SLICE_LENGTH, MAX_JSON_NODES));
		// Whatever is parsed once the layout is known goes over the blanks a second time.
		expect(pausesOf(parseInSlices(Buffer.from(text)))).toBeGreaterThanOrEqual(2 * looked - 1);
		expect(atOnce(parseInSlices(Buffer.from(text)))).toEqual(JSON.parse(text));
	});

	it("is cut: no piece of it is much longer than it may be", () => {
		const text = JSON.stringify({
			a: Array.from({ length: 1000 }, () => "word"),
			b: "x".repeat(10_000),
			c: "\u0001".repeat(1000),
		});
		const large = 100;
		const parse = JSON.parse;
		let longest = 0;
		JSON.parse = (piece: string) => {
			longest = Math.max(longest, piece.length);
			return parse(piece);
		};
		try {
			atOnce(parseInSlices(Buffer.from(text), { large }));
		} finally {
			JSON.parse = parse;
		}
		expect(longest).toBeLessThan(large * 2);
	});
});

describe("a body that is too large to parse at once", () => {
	const padding = " ".repeat(PARSED_AT_ONCE);
	const refusal = async (body: string) => {
		const error = await Promise.resolve(jsonBodyParser()(Buffer.from(body))).catch((thrown) => thrown);
		expect(error).toBeInstanceOf(GatewayError);
		return (error as GatewayError).message;
	};

	it("is read like any other", async () => {
		const text = "é".repeat(PARSED_ALONE);
		expect(await jsonBodyParser()(Buffer.from(`\ufeff${JSON.stringify({ text })}`))).toEqual({ text });
	});

	it("is held to the same limits", async () => {
		const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}${padding}`;
		expect(await jsonBodyParser()(Buffer.from(deep(MAX_JSON_DEPTH)))).toBeInstanceOf(Array);
		expect(await refusal(deep(MAX_JSON_DEPTH + 1))).toBe(`The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
		const many = (count: number) => `[${"1,".repeat(count - 2)}1]`;
		expect(await jsonBodyParser()(Buffer.from(many(MAX_JSON_NODES)))).toHaveLength(MAX_JSON_NODES - 1);
		expect(await refusal(many(MAX_JSON_NODES + 1))).toBe(`The body holds more than ${MAX_JSON_NODES} values.`);
	});

	it("is refused where it is no JSON", async () => {
		expect(await refusal(`{"a":1${padding}`)).toBe("The body is not valid JSON.");
		expect(await refusal(`{"a":1]${padding}`)).toBe("The body is not valid JSON.");
	});

	it("is parsed alone if it is very large, and one that fails does not hold up the next", async () => {
		const parse = jsonBodyParser();
		const order: string[] = [];
		const body = (text: string) => Buffer.from(text + " ".repeat(PARSED_ALONE));
		const all = ["[1]", "[2", "[3]"].map((text) =>
			Promise.resolve(parse(body(text))).then(
				() => order.push(text),
				() => order.push(`not ${text}`),
			),
		);
		await Promise.all(all);
		expect(order).toEqual(["[1]", "not [2", "[3]"]);
	});
});
