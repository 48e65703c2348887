import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NONCE_BYTES, openSealed, SEAL_KEY_BYTES, sealText } from "./seal.ts";

const key = randomBytes(SEAL_KEY_BYTES);
const seal = (text: string) => sealText(text, key, randomBytes(NONCE_BYTES));

describe("a sealed text", () => {
	it("is read with its key, whatever it is, and says nothing without", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), (text) => {
				expect(openSealed(seal(text), key)).toBe(text);
			}),
		);
		expect(seal("a secret word")).not.toContain(Buffer.from("secret").toString("base64url"));
		expect(seal("twice")).not.toBe(seal("twice"));
	});

	it("is refused if one bit of it was changed, wherever, and with another key", () => {
		const sealed = seal("the word is blue");
		expect(openSealed(sealed, randomBytes(SEAL_KEY_BYTES))).toBeUndefined();
		for (let at = 0; at < sealed.length; at++) {
			for (const bit of [1, 2, 4, 8, 16, 32, 64]) {
				const changed = String.fromCharCode(sealed.charCodeAt(at) ^ bit);
				expect(openSealed(sealed.slice(0, at) + changed + sealed.slice(at + 1), key)).toBeUndefined();
			}
		}
	});

	it.each(["", "cws1_", "cws1_AAAA", "Y3Vyc29yd2lyZQ==", "gAAAAABo"])("is not %j", (text) => {
		expect(openSealed(text, key)).toBeUndefined();
	});
});
