import { describe, expect, it } from "vitest";
import { GatewayError } from "../../turn/error.ts";
import { parseJsonBody } from "./json-body.ts";
import { MAX_JSON_DEPTH, MAX_JSON_NODES } from "./json-limits.ts";

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

function refusal(body: string | Uint8Array): string {
	try {
		parseJsonBody(Buffer.from(body));
	} catch (error) {
		expect(error).toBeInstanceOf(GatewayError);
		expect((error as GatewayError).kind).toBe("invalid-request");
		return (error as GatewayError).message;
	}
	return "none";
}

describe("parseJsonBody", () => {
	it.each([
		["an object", '{"a":[1,2.5,null,true,"x"]}', { a: [1, 2.5, null, true, "x"] }],
		["a byte order mark before it", '\ufeff{"a":1}', { a: 1 }],
		["text of every kind", '{"a":"\\u0000 \\ud83d\\ude00 日本 \u202e"}', { a: "\0 😀 日本 \u202e" }],
		["brackets, commas and quotes inside strings", JSON.stringify(`${'[{,"\\'.repeat(1000)}`), '[{,"\\'.repeat(1000)],
	])("reads %s", (_name, body, value) => {
		expect(parseJsonBody(Buffer.from(body))).toEqual(value);
	});

	it.each([
		["no bytes", "", "The body is empty."],
		["no JSON", "{", "The body is not valid JSON: look at line 1, column 2."],
		["two values", "{}{}", "The body is not valid JSON: look at line 1, column 3."],
		["an open string", '"abc\\', "The body is not valid JSON: it ends too early."],
		["NaN", '{"a":NaN}', "The body is not valid JSON."],
		["invalid UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "The body is not valid UTF-8."],
		["UTF-16", Buffer.from('{"é":1}', "utf16le"), "The body is not valid UTF-8."],
		[
			"UTF-16 without any other letter",
			Buffer.from('{"a":1}', "utf16le"),
			"The body is not valid JSON: look at line 1, column 2.",
		],
	])("refuses %s", (_name, body, message) => {
		expect(refusal(body)).toBe(message);
	});

	it("refuses to go deeper than the limit, and not before", () => {
		const message = `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`;
		expect(parseJsonBody(Buffer.from(nested(MAX_JSON_DEPTH)))).toBeInstanceOf(Array);
		expect(refusal(nested(MAX_JSON_DEPTH + 1))).toBe(message);
		expect(refusal(nestedObjects(MAX_JSON_DEPTH + 1))).toBe(message);
		expect(refusal("[".repeat(1_000_000))).toBe(message);
		expect(refusal(`[${nested(MAX_JSON_DEPTH - 1)},${nested(MAX_JSON_DEPTH - 1)}]`)).toBe("none");
	});

	it("refuses more values than the limit, and not before", () => {
		const message = `The body holds more than ${MAX_JSON_NODES} values.`;
		const numbers = (count: number) => `[${"1,".repeat(count - 1)}1]`;
		expect(refusal(numbers(MAX_JSON_NODES - 2))).toBe("none");
		expect(refusal(numbers(MAX_JSON_NODES))).toBe(message);
		expect(refusal(`{${'"a":1,'.repeat(MAX_JSON_NODES)}"a":1}`)).toBe(message);
		expect(refusal(`[${"[],".repeat(MAX_JSON_NODES / 2)}[]]`)).toBe(message);
	});

	it("keeps __proto__ a key like others", () => {
		const value = parseJsonBody(Buffer.from('{"__proto__":{"polluted":true}}')) as object;
		expect(Object.keys(value)).toEqual(["__proto__"]);
		expect("polluted" in value).toBe(false);
	});
});
