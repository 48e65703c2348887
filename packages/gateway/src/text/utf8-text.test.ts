import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Text } from "./utf8-text.ts";

describe("the text of UTF-8", () => {
	it("is the same as the plain way, for short and long texts of all kinds", () => {
		const unit = fc.constantFrom("a", "é", "日", "😀", "\u0000", "\ufeff", "\n", "word ");
		fc.assert(
			fc.property(fc.array(unit, { maxLength: 20 }), fc.nat(600), (units, times) => {
				const bytes = Buffer.from(units.join("").repeat(times));
				expect(utf8Text(bytes)).toBe(bytes.toString());
			}),
			{ numRuns: 200 },
		);
	});

	it("is that of a part where a part is asked for", () => {
		const bytes = Buffer.from(`é${"plain text ".repeat(500)}日`);
		expect(utf8Text(bytes, 2, bytes.length - 3)).toBe("plain text ".repeat(500));
		expect(utf8Text(bytes, 2)).toBe(`${"plain text ".repeat(500)}日`);
	});
});
