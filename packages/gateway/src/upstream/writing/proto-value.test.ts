import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { McpArgsSchema } from "@cursorwire/protocol/agent";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonOfFields, jsonOfValue, valueOfJson } from "./proto-value.ts";

const overWire = (value: Value): Value => fromBinary(ValueSchema, toBinary(ValueSchema, value));

/** One entry of a map as bytes. Code that reads maps by assignment cannot write this one either. */
function entry(key: string, value: Uint8Array): Uint8Array {
	const { LengthDelimited } = WireType;
	return new BinaryWriter().tag(1, LengthDelimited).string(key).tag(2, LengthDelimited).bytes(value).finish();
}

describe("protobuf values", () => {
	it("are what the library makes of them, both ways", () => {
		const json = fc.jsonValue({ depthSize: "medium" }).filter((value) => !JSON.stringify(value).includes("__proto__"));
		fc.assert(
			fc.property(json, (value) => {
				expect(toBinary(ValueSchema, valueOfJson(value))).toEqual(
					toBinary(ValueSchema, fromJson(ValueSchema, value as never)),
				);
				const read = overWire(valueOfJson(value));
				expect(jsonOfValue(read)).toEqual(toJson(ValueSchema, read));
			}),
		);
	});

	it("keep a member called __proto__ at any depth, and nobody's prototype changes", () => {
		const text = '{"a":1,"list":[{"__proto__":{"deep":true}}],"__proto__":"mine"}';
		const back = jsonOfValue(overWire(valueOfJson(JSON.parse(text))));
		expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(text));
		expect(Object.keys(back as object)).toContain("__proto__");
		expect(({} as { deep?: boolean }).deep).toBeUndefined();
	});

	it("keep an argument called __proto__", () => {
		const value = toBinary(ValueSchema, valueOfJson("mine"));
		const bytes = new BinaryWriter()
			.tag(2, WireType.LengthDelimited)
			.bytes(entry("__proto__", value))
			.tag(2, WireType.LengthDelimited)
			.bytes(entry("path", value))
			.finish();
		expect(JSON.stringify(jsonOfFields(fromBinary(McpArgsSchema, bytes).args))).toBe(
			'{"path":"mine","__proto__":"mine"}',
		);
	});

	it("refuse what JSON cannot express", () => {
		expect(() => jsonOfValue(valueOfJson(Number.NaN))).toThrow(/number that JSON does not have/);
		expect(() => jsonOfValue(fromBinary(ValueSchema, new Uint8Array()))).toThrow(/no value/);
	});
});
