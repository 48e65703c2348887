import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge } from "./schema-judge.ts";

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

describe("judge", () => {
	it.each<[unknown, unknown, string]>([
		[{}, 1, "fits"],
		[true, 1, "fits"],
		[false, 1, "fails"],
		["string", "x", "unsure"],
		[{ type: "string" }, "x", "fits"],
		[{ type: "integer" }, 1.5, "fails"],
		[{ type: ["string", "null"] }, null, "fits"],
		[{ type: "string", nullable: true }, null, "fits"],
		[{ type: "text" }, "x", "unsure"],
		[{ enum: [1, { a: [2] }] }, { a: [2] }, "fits"],
		[{ const: "a" }, "b", "fails"],
		[{ type: "string", maxLength: 1 }, "😀", "fits"],
		[{ type: "number", exclusiveMinimum: 0 }, 0, "fails"],
		[{ minimum: 0, exclusiveMinimum: true }, 1, "unsure"],
		[{ type: "array", items: { type: "string" }, minItems: 1 }, ["a"], "fits"],
		[{ type: "array", items: [{ type: "string" }] }, ["a"], "unsure"],
		[{ type: "array", uniqueItems: true }, ["a", "a"], "fails"],
		[{ properties: { a: { type: "string" } }, required: ["a"] }, {}, "fails"],
		[{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, "fails"],
		[{ additionalProperties: { type: "string" } }, { b: "1" }, "fits"],
		[{ anyOf: [{ type: "string" }, { $ref: "#/x" }] }, "a", "fits"],
		[{ oneOf: [{ type: "string" }, { $ref: "#/x" }] }, "a", "unsure"],
		[{ oneOf: [{ type: "string" }, { minLength: 1 }] }, "a", "fails"],
		[{ not: { type: "string" } }, "a", "fails"],
		[{ allOf: [{ type: "string" }, { pattern: "^(a+)+$" }] }, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "unsure"],
		[{ type: "string", format: "uri" }, "https://a.example/b", "fits"],
		[{ type: "string", format: "uri" }, "a b", "fails"],
		[{ type: "string", format: "date" }, "2020-01-01", "unsure"],
		[{ type: "integer", format: "uint64" }, 1, "fits"],
		[{ if: { type: "string" }, else: false }, "x", "unsure"],
	])("%j of %j: %s", (schema, value, verdict) => {
		expect(judge(schema, value)).toBe(verdict);
	});

	it("stops at hostile depth", () => {
		let schema: Record<string, unknown> = { type: "string" };
		for (let depth = 0; depth < 20_000; depth++) schema = { allOf: [schema] };
		expect(judge(schema, "x")).toBe("unsure");
	});

	it("follows no circle", () => {
		const circle: Record<string, unknown> = {};
		circle.allOf = [circle];
		expect(judge(circle, "x")).toBe("unsure");
	});

	it("never contradicts a real validator", () => {
		fc.assert(
			fc.property(arbitrarySchema(3), arbitraryValue(2), (schema, value) => {
				const verdict = judge(schema, value);
				if (verdict === "unsure") return;
				expect(ajv.compile(schema as object)(value) ? "fits" : "fails").toBe(verdict);
			}),
			{ numRuns: 600 },
		);
	});
});

// Names of Object's own members break the reference validator, not our code.
const NAMES = fc.constantFrom("a", "b", "c", "d");

function arbitraryValue(depth: number): fc.Arbitrary<unknown> {
	const leaf = fc.oneof(
		fc.string({ maxLength: 12 }),
		fc.integer(),
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.boolean(),
		fc.constant(null),
	);
	if (depth === 0) return leaf;
	const inner = arbitraryValue(depth - 1);
	return fc.oneof(
		leaf,
		fc.array(inner, { maxLength: 3 }),
		fc.dictionary(NAMES, inner, { maxKeys: 3, noNullPrototype: true }),
	);
}

function arbitrarySchema(depth: number): fc.Arbitrary<unknown> {
	const leaf = fc.oneof(
		fc.constant({}),
		fc.record({ type: fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object") }),
		fc.record({ type: fc.constant("string"), minLength: fc.nat(4), maxLength: fc.nat(9) }),
		fc.record({ type: fc.constant("number"), minimum: fc.integer(), maximum: fc.integer() }),
		fc.record({ enum: fc.uniqueArray(arbitraryValue(1), { minLength: 1, maxLength: 4, comparator: sameJson }) }),
		fc.record({ const: arbitraryValue(1) }),
	);
	if (depth === 0) return leaf;
	const inner = arbitrarySchema(depth - 1);
	const list = fc.array(inner, { minLength: 1, maxLength: 3 });
	return fc.oneof(
		leaf,
		fc.record({ items: inner, minItems: fc.nat(2) }),
		fc.record({
			properties: fc.dictionary(NAMES, inner, { maxKeys: 3, noNullPrototype: true }),
			required: fc.uniqueArray(NAMES, { maxLength: 2 }),
			additionalProperties: fc.oneof(fc.boolean(), inner),
		}),
		fc.record({ anyOf: list }),
		fc.record({ oneOf: list }),
		fc.record({ allOf: list }),
		fc.record({ not: inner }),
	);
}

function sameJson(left: unknown, right: unknown): boolean {
	return JSON.stringify(left) === JSON.stringify(right);
}
