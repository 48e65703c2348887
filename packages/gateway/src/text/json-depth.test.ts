import { fromBinary, fromJson, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { pausesOf } from "../../test/kit/slices.ts";
import { atOnce } from "../time/slices.ts";
import { DEEPEST_JSON, hasMoreValues, isTooDeep } from "./json-depth.ts";

const nested = (levels: number, open: string, close: string): JsonValue =>
	JSON.parse(`${open.repeat(levels - 1)}[]${close.repeat(levels - 1)}`);

describe.each([
	['{"a":', "}"],
	["[", "]"],
])("JSON of %s levels", (open, close) => {
	it("is taken up to the last one, which a protobuf value can carry", () => {
		const json = nested(DEEPEST_JSON, open, close);
		expect(isTooDeep(json)).toBe(false);
		expect(toJson(ValueSchema, fromBinary(ValueSchema, toBinary(ValueSchema, fromJson(ValueSchema, json))))).toEqual(
			json,
		);
	});

	it("is too deep beyond it, however far", () => {
		expect(isTooDeep(nested(DEEPEST_JSON + 1, open, close))).toBe(true);
		expect(isTooDeep(nested(100_000, open, close))).toBe(true);
	});
});

it("depth does not depend on width", () => {
	expect(isTooDeep({ a: [1, "{{[[", null], b: Array.from({ length: 1_000 }, () => [{}]) })).toBe(false);
});

describe("hasMoreValues", () => {
	it("counts commas between values, and none in a text", () => {
		expect(atOnce(hasMoreValues("[1,2,3]", 3))).toBe(false);
		expect(atOnce(hasMoreValues("[1,2,3,4]", 3))).toBe(true);
		expect(atOnce(hasMoreValues('{"a":1,"b":[2,3,4]}', 3))).toBe(true);
		expect(atOnce(hasMoreValues(JSON.stringify([",,,,", '",,,"\\', "\n,,"]), 3))).toBe(false);
	});

	it("pauses within a long text, and counts the same wherever that is", () => {
		const escapes = `["${'\\"'.repeat(300_000)}",1]`;
		for (const text of [escapes, ` ${escapes}`]) {
			expect(atOnce(hasMoreValues(text, 1))).toBe(true);
			expect(atOnce(hasMoreValues(text, 2))).toBe(false);
			expect(pausesOf(hasMoreValues(text, 2))).toBeGreaterThan(2);
		}
	});
});
