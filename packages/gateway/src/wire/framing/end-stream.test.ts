import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEndStream, parseErrorBody, RPC_CODES } from "./end-stream.ts";

const bytes = (json: unknown) => Buffer.from(typeof json === "string" ? json : JSON.stringify(json));
const badEndStream = expect.objectContaining({ name: "WireError", code: "bad-end-stream" });

describe("parseEndStream", () => {
	it("reads success", () => {
		expect(parseEndStream(bytes("{}"))).toEqual({ metadata: {} });
		expect(parseEndStream(bytes({ error: null, metadata: { "X-Trailer": ["a", "b"] } }))).toEqual({
			metadata: { "x-trailer": ["a", "b"] },
		});
	});

	it("reads an error with details", () => {
		const detail = { type: "aiserver.v1.ErrorDetails", value: "CAESBQoDYWJj", debug: { error: "X" } };
		const { error, metadata } = parseEndStream(
			bytes({ error: { code: "resource_exhausted", message: "Error", details: [detail] }, metadata: { k: ["v"] } }),
		);
		expect(error).toEqual({
			code: "resource_exhausted",
			message: "Error",
			details: [{ type: detail.type, value: Buffer.from(detail.value, "base64"), debug: { error: "X" } }],
		});
		expect(metadata).toEqual({ k: ["v"] });
	});

	it.each([
		["beside nothing", { "connect-error-code": "resource_exhausted", "connect-error-message": "no more" }],
		["with a number", { "connect-error-code": 8, "connect-error-message": "no more" }],
		["with a number as text", { "connect-error-code": "8", "connect-error-message": "no more" }],
		[
			"as metadata",
			{ metadata: { "Connect-Error-Code": ["resource_exhausted"], "connect-error-message": ["no more"] } },
		],
	])("reads an error from trailers by its name %s", (_how, json) => {
		expect(parseEndStream(bytes(json)).error).toEqual({ code: "resource_exhausted", message: "no more", details: [] });
	});

	it("takes the error itself before trailers, and an unknown code of trailers for an error", () => {
		const both = { error: { code: "aborted", message: "m" }, "connect-error-code": "internal" };
		expect(parseEndStream(bytes(both)).error).toMatchObject({ code: "aborted", message: "m" });
		expect(parseEndStream(bytes({ "connect-error-code": "on_fire" })).error).toMatchObject({ code: "unknown" });
		expect(parseEndStream(bytes({ "connect-error-message": "m" })).error).toMatchObject({
			code: "unknown",
			message: "m",
		});
	});

	it("round trips every code and any message and detail", () => {
		const detail = fc.record({ type: fc.string(), value: fc.uint8Array({ maxLength: 40 }) });
		fc.assert(
			fc.property(
				fc.constantFrom(...RPC_CODES),
				fc.string({ unit: "grapheme", maxLength: 200 }),
				fc.array(detail, { maxLength: 4 }),
				(code, message, details) => {
					const encoded = details.map(({ type, value }) => ({
						type,
						value: Buffer.from(value).toString("base64").replaceAll("=", ""),
					}));
					const expected = details.map(({ type, value }) => ({ type, value: Buffer.from(value) }));
					const { error } = parseEndStream(bytes({ error: { code, message, details: encoded } }));
					expect(error).toEqual({ code, message, details: expected });
				},
			),
		);
	});

	it.each([
		["null code", { code: null, message: "m" }, "m"],
		["unknown code", { code: "on_fire", message: "m" }, "m"],
		["numeric code", { code: 8, message: "m" }, "m"],
		["missing code", { message: "m" }, "m"],
		["missing message", {}, ""],
		["null message", { code: "unknown", message: null }, ""],
		["message that is no text", { message: { a: 1 } }, ""],
		["error that is a text", "boom", ""],
		["error that is a list", [1], ""],
		["details that are no list", { message: "m", details: {} }, "m"],
	])("tolerates: %s", (_name, error, message) => {
		expect(parseEndStream(bytes({ error })).error).toEqual({ code: "unknown", message, details: [] });
	});

	it("drops bad details and keeps good ones", () => {
		const good = { type: "t", value: "AQI" };
		const details = [null, 1, {}, { type: "t" }, { type: 1, value: "AQI" }, { type: "t", value: "§§" }, good];
		const { error } = parseEndStream(bytes({ error: { code: "internal", details } }));
		expect(error?.details).toEqual([{ type: "t", value: Buffer.from([1, 2]) }]);
	});

	it("reads base64 with padding and in the URL alphabet", () => {
		const details = ["+/8=", "-_8"].map((value) => ({ type: "t", value }));
		const values = parseEndStream(bytes({ error: { details } })).error?.details.map(({ value }) => [...value]);
		expect(values).toEqual([
			[0xfb, 0xff],
			[0xfb, 0xff],
		]);
	});

	it("ignores metadata of the wrong form, and a name that is special to objects", () => {
		const text = '{"metadata":{"a":"text","b":[1,"x",null],"__proto__":["p"]}}';
		const { metadata } = parseEndStream(bytes(text));
		expect(Object.entries(metadata)).toEqual([
			["b", ["x"]],
			["__proto__", ["p"]],
		]);
	});

	it("cuts a 1 MB message to 2 KB without halving a character", () => {
		const { error } = parseEndStream(bytes({ error: { message: `x${"😀".repeat(250_000)}` } }));
		expect(error?.message).toBe(`x${"😀".repeat(1023)}`);
	});

	it.each(["", "{", "null", "[]", '"text"', "1", "<html></html>", "\u0000"])("refuses %j", (text) => {
		expect(() => parseEndStream(bytes(text))).toThrow(badEndStream);
	});

	it("never throws anything but a WireError", () => {
		fc.assert(
			fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
				try {
					parseEndStream(bytes(text));
				} catch (error) {
					expect(error).toEqual(badEndStream);
				}
			}),
		);
	});
});

describe("parseErrorBody", () => {
	it("reads the body of a failed unary call", () => {
		const body = { code: "unauthenticated", message: "no", details: [{ type: "t", value: "" }] };
		expect(parseErrorBody(bytes(body))).toEqual({
			code: "unauthenticated",
			message: "no",
			details: [{ type: "t", value: Buffer.alloc(0) }],
		});
	});

	it("refuses a page of HTML", () => {
		expect(() => parseErrorBody(bytes("<html>502</html>"))).toThrow(badEndStream);
	});
});
