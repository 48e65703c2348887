import { describe, expect, it } from "vitest";
import { MachineBusy, OutOfTime, withinTime } from "./structured-output-budget.ts";
import { compileReplySchema, type JsonSchema, UncheckableReply, UnusableSchema } from "./structured-output-schema.ts";

const fits = (schema: JsonSchema, value: unknown) => compileReplySchema(schema)(value).length === 0;

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
		expect(() => compileReplySchema({ $ref: "https://example.test/b" })).toThrow(UnusableSchema);
	});

	it("is told apart from an answer where the answer cannot be checked", () => {
		expect(() => compileReplySchema({ allOf: [{ $ref: "#" }] })(1)).toThrow(UncheckableReply);
	});

	it("that doubles the work with each of forty parts does not stop the gateway", () => {
		const parts = Object.fromEntries(
			Array.from({ length: 40 }, (_, n) => {
				const next = { $ref: `#/$defs/d${n + 1}` };
				return [`d${n}`, { allOf: [next, next] }];
			}),
		);
		const schema = { $ref: "#/$defs/d0", $defs: { ...parts, d40: { type: "string" } } };
		const check = compileReplySchema(schema, { compileMs: 5_000, checkMs: 50 });
		expect(() => check("x")).toThrow(UncheckableReply);
		// The next check works as usual.
		expect(fits({ type: "string" }, "x")).toBe(true);
	});

	it("that cannot be compiled in time is refused", () => {
		const properties = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`p${n}`, { type: "string" }]));
		const compile = () => compileReplySchema({ type: "object", properties }, { compileMs: 1, checkMs: 1 });
		expect(compile).toThrow(UnusableSchema);
		expect(compile).toThrow("too complex");
	});

	it("that asks for a check that answers later is checked at once", () => {
		expect([fits({ $async: true, type: "string" }, "a"), fits({ $async: true, type: "string" }, 1)]).toEqual([
			true,
			false,
		]);
		const inside = { type: "object", properties: { a: { $async: true, type: "string" } } };
		expect(() => compileReplySchema(inside)).toThrow(UnusableSchema);
	});

	it("says what is wrong, in few and short lines", () => {
		const schema = { type: "object", properties: { list: { type: "array", items: { enum: ["a", "b"] } } } };
		const check = compileReplySchema({ ...schema, additionalProperties: false });
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

	it("is one of computing: work that only had to wait for the machine begins anew and ends", () => {
		let tries = 0;
		// It is interrupted twice, and the stopwatch shows that it hardly computed.
		const work = () => {
			tries += 1;
			while (tries <= 2);
			return "done";
		};
		expect(withinTime(20, work, { cpuMs: () => tries })).toBe("done");
		expect(tries).toBe(3);
	});

	it("says that the machine is busy, and nothing about the work, where it never gets its time", () => {
		const endless = () => {
			for (;;);
		};
		expect(() => withinTime(2, endless, { cpuMs: () => 0 })).toThrow(MachineBusy);
	});
});
