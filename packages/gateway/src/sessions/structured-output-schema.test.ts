import { describe, expect, it } from "vitest";
import { GatewayError } from "../turn/error.ts";
import { OutOfTime, withinTime } from "./structured-output-budget.ts";
import { compileAnswerSchema, type JsonSchema } from "./structured-output-schema.ts";

const compiled = (schema: JsonSchema, times?: { compileMs: number; checkMs: number }) =>
	compileAnswerSchema(schema, "response_format.json_schema.schema", times);
const fits = (schema: JsonSchema, value: unknown) => compiled(schema)(value).length === 0;

function refusalOf(work: () => unknown): GatewayError {
	try {
		work();
	} catch (error) {
		if (error instanceof GatewayError) return error;
	}
	throw new Error("it was not refused");
}

describe("a client's schema", () => {
	it.each<[string, JsonSchema, unknown, unknown]>([
		[
			"of the newest draft",
			{ $schema: "https://json-schema.org/draft/2020-12/schema", prefixItems: [{ type: "string" }] },
			["a"],
			[1],
		],
		[
			"of an older draft",
			{ $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] },
			["a"],
			[1],
		],
		["of a draft that nobody knows", { $schema: "https://example.test/schema", type: "string" }, "a", 1],
		["with words of its own", { type: "string", "x-order": 1, example: "b" }, "a", 1],
		["that says what a format is", { type: "string", format: "date" }, "no date", 1],
		["of OpenAPI", { type: "string", nullable: true }, null, 1],
		["that refers to its parts", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, "a", 1],
		[
			"that refers to itself",
			{ type: "object", properties: { next: { $ref: "#" } }, required: ["id"] },
			{ id: 1, next: { id: 2 } },
			{ id: 1, next: {} },
		],
		["with a pattern for another engine", { type: "string", pattern: "^\\-[a-z]$" }, "-a", "a"],
		[
			"about names that every object inherits",
			{ type: "object", required: ["constructor"] },
			JSON.parse('{"constructor":1}'),
			{},
		],
	])("%s is understood", (_name, schema, right, wrong) => {
		expect(fits(schema, right)).toBe(true);
		expect(fits(schema, wrong)).toBe(false);
	});

	it("knows nothing of another one with the same id", () => {
		const one = { $id: "https://example.test/a", type: "object", properties: { a: { $id: "b", type: "string" } } };
		const other = { ...one, properties: { a: { $id: "b", type: "number" } } };
		expect([fits(one, { a: "x" }), fits(other, { a: 1 }), fits(one, { a: 1 })]).toEqual([true, true, false]);
		expect(refusalOf(() => compiled({ $ref: "https://example.test/b" }))).toMatchObject({
			...{ kind: "invalid-request", param: "response_format.json_schema.schema" },
		});
	});

	it("is told apart from an answer where the answer cannot be checked", () => {
		const endless = refusalOf(() => compiled({ allOf: [{ $ref: "#" }] })(1));
		expect(endless.kind).toBe("output-invalid");
	});

	it("that doubles the work with each of forty parts does not stop the gateway", () => {
		const parts = Object.fromEntries(
			Array.from({ length: 40 }, (_, n) => {
				const next = { $ref: `#/$defs/d${n + 1}` };
				return [`d${n}`, { allOf: [next, next] }];
			}),
		);
		const schema = { $ref: "#/$defs/d0", $defs: { ...parts, d40: { type: "string" } } };
		const check = compiled(schema, { compileMs: 5_000, checkMs: 50 });
		expect(refusalOf(() => check("x")).kind).toBe("output-invalid");
		// The next one finds everything in order.
		expect(fits({ type: "string" }, "x")).toBe(true);
	});

	it("that cannot be compiled in time is refused", () => {
		const properties = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`p${n}`, { type: "string" }]));
		const refusal = refusalOf(() => compiled({ type: "object", properties }, { compileMs: 1, checkMs: 1 }));
		expect(refusal.kind).toBe("invalid-request");
		expect(refusal.message).toContain("too complex");
	});

	it("that asks for a check that answers later is checked at once", () => {
		expect([fits({ $async: true, type: "string" }, "a"), fits({ $async: true, type: "string" }, 1)]).toEqual([
			true,
			false,
		]);
		const inside = { type: "object", properties: { a: { $async: true, type: "string" } } };
		expect(refusalOf(() => compiled(inside)).kind).toBe("invalid-request");
	});

	it("says what is wrong, in few and short lines", () => {
		const schema = { type: "object", properties: { list: { type: "array", items: { enum: ["a", "b"] } } } };
		const check = compiled({ ...schema, additionalProperties: false });
		expect(check({ list: ["c"], more: 1 })).toEqual([
			'the answer must NOT have additional properties: "more"',
			'/list/0 must be equal to one of the allowed values: ["a","b"]',
		]);
		const lines = check({ list: Array.from({ length: 500 }, () => "x") });
		expect(lines).toHaveLength(10);
		expect(check({ ["k".repeat(5_000)]: 1 })[0]!.length).toBeLessThanOrEqual(300);
	});
});

describe("a time budget", () => {
	it("gives back what the work gives or throws", () => {
		expect(withinTime(1_000, () => 7)).toBe(7);
		const thrown = new TypeError("mine");
		expect(() =>
			withinTime(1_000, () => {
				throw thrown;
			}),
		).toThrow(thrown);
	});

	it.each([
		[
			"a loop",
			() => {
				for (;;);
			},
		],
		["a regular expression", () => /^(a+)+$/.test(`${"a".repeat(60)}!`)],
	])("ends %s that would not end", (_name, work) => {
		expect(() => withinTime(20, work)).toThrow(OutOfTime);
		expect(withinTime(1_000, () => "alive")).toBe("alive");
	});
});
