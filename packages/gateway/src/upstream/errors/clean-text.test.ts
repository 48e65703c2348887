import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";

describe("cleanText", () => {
	it("makes one line without terminal codes and direction marks", () => {
		expect(cleanText("a\u001b[31mred\u0007\r\n\tb\u202ec  d ")).toBe("a [31mred b c d");
	});

	it("shows no key and no token, also not one that is cut off or broken into lines", () => {
		expect(cleanText("bad key_0123456789abcdef")).toBe("bad (key)");
		expect(cleanText(`${"x".repeat(4060)} eyJhbGciOiJIUzI1NiJ9.${"a".repeat(400)}`, 4096)).not.toContain("eyJ");
		expect(cleanText("Bearer\r\nabc.def")).toBe("Bearer (token)");
	});

	it("cuts at 2 KB without splitting a character", () => {
		const cut = cleanText(`${"x".repeat(2047)}😀`);
		expect(cut).toBe("x".repeat(2047));
		expect(Buffer.byteLength(cleanText("ü".repeat(5000)))).toBe(2048);
	});

	it("keeps any text short, printable and well-formed", () => {
		const text = fc.oneof(fc.string({ unit: "binary", maxLength: 4000 }), fc.string({ unit: "grapheme" }));
		fc.assert(
			fc.property(text, fc.integer({ min: 1, max: 3000 }), (input, limit) => {
				const clean = cleanText(input, limit);
				expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(limit);
				expect(Buffer.from(clean).toString()).toBe(clean);
				expect([...clean].every((character) => character >= " ")).toBe(true);
			}),
		);
	});
});
