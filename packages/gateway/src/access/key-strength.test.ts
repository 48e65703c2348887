import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { weaknessOf } from "./key-strength.ts";
import { makeKey } from "./keys.ts";

describe("a key that somebody chose", () => {
	it.each([
		["a", /at least 24/],
		["", /in a header/],
		["correct-horse-battery-s", /at least 24/],
		["a".repeat(40), /few different/],
		["abababababababababababababab", /few different/],
		["passwordpasswordpasswordpassword", /few different|repeats itself/],
		["my-secret-key-my-secret-key-my-", /repeats itself/],
		["abcdefghijklmnopqrstuvwxyz0123456789", /sequence/],
		["zyxwvutsrqponmlkjihgfedcba", /sequence/],
		["with a blank inside, which no header has", /in a header/],
		["mit-Umlauten-äöü-und-mehr-davon", /in a header/],
		["x9".repeat(1000), /more than 1024/],
	])("is too weak: %j", (key, reason) => expect(weaknessOf(key)).toMatch(reason));

	it("is strong enough where it is random", () => {
		for (let round = 0; round < 200; round++) {
			const bytes = randomBytes(32);
			const keys = [makeKey(randomBytes), bytes.toString("base64"), bytes.toString("hex"), bytes.toString("base64url")];
			for (const key of keys) expect(weaknessOf(key), key).toBeUndefined();
		}
	});
});
