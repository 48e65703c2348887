import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closingQuote, cutNear } from "./json-strings.ts";

/** What JSON strings are made of, as it stands between their quotes. */
const SCRAPS = ["a", "u", "0041", "é", "日", "😀", "\\\\", '\\"', "\\n", "\\u0041", "\\ud83d\\ude00"];
const inside = fc.array(fc.constantFrom(...SCRAPS), { maxLength: 40 }).map((scraps) => scraps.join(""));

describe("a string in JSON", () => {
	it("ends at its quote, whatever is escaped in it", () => {
		fc.assert(
			fc.property(inside, inside, (text, after) => {
				const bytes = Buffer.from(`"${text}","${after}"`);
				expect(closingQuote(bytes, 1)).toBe(Buffer.byteLength(text) + 1);
			}),
			{ numRuns: 1000 },
		);
	});

	it("has no end where no quote closes it", () => {
		expect(closingQuote(Buffer.from('"abc\\"'), 1)).toBe(-1);
		expect(closingQuote(Buffer.from('"abc'), 1)).toBe(-1);
	});

	it("can be cut near every place, and its parts are strings that make the whole", () => {
		fc.assert(
			fc.property(inside, (text) => {
				const bytes = Buffer.from(text);
				for (let at = 0; at < bytes.length; at++) {
					const cut = cutNear(bytes, 0, at);
					expect(cut).toBeGreaterThanOrEqual(at);
					expect(cut).toBeLessThan(at + 6);
					const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)].map((part) =>
						JSON.parse(`"${part.toString()}"`),
					);
					expect(first + second).toBe(JSON.parse(`"${text}"`));
				}
			}),
			{ numRuns: 300 },
		);
	});
});
