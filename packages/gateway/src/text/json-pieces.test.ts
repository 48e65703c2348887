import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce } from "../time/slices.ts";
import { jsonBytes, jsonPieces } from "./json-pieces.ts";

describe("JSON in pieces", () => {
	it("is what it is in one", () => {
		const values = fc.jsonValue({ depthSize: "medium", stringUnit: "binary" });
		fc.assert(
			fc.property(values, fc.integer({ min: 2, max: 20 }), (value, large) => {
				const pieces = [...jsonPieces(value, large)].join("");
				return pieces === JSON.stringify(value);
			}),
		);
	});

	it("is the same as bytes", () => {
		const value = { text: "é😀\u0001".repeat(50), list: [1, { a: null }] };
		expect(Buffer.concat(atOnce(jsonBytes(value, 7))).toString()).toBe(JSON.stringify(value));
	});

	it("leaves out what has no value, and keeps the place of it in a list", () => {
		const value = {
			a: undefined,
			b: ["x".repeat(50), undefined],
			c: { d: undefined, e: "y".repeat(50) },
			f: undefined,
		};
		expect([...jsonPieces(value, 10)].join("")).toBe(JSON.stringify(value));
		expect([...jsonPieces({ a: undefined, b: undefined }, 1)].join("")).toBe("{}");
	});

	it("has no long piece, however long the text or the list is", () => {
		const value = { text: "\u0001😀".repeat(10_000), list: Array.from({ length: 10_000 }, (_, index) => ({ index })) };
		for (const piece of jsonPieces(value, 100)) expect(piece.length).toBeLessThan(100 * 7);
	});
});
