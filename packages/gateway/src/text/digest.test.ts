import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce, SLICE_LENGTH } from "../time/slices.ts";
import { digestOf } from "./digest.ts";

type Part = string | Uint8Array | string[];

/** Fed piece by piece. */
function expected(parts: readonly Part[]): string {
	const hash = createHash("sha256");
	for (const part of parts) {
		for (const piece of Array.isArray(part) ? part : [part]) hash.update(piece);
		hash.update("\0");
	}
	return hash.digest("hex");
}

const digest = (parts: readonly Part[]) => atOnce(digestOf(parts)).toString("hex");

test("the digest is that of all parts, each with a zero byte behind it, whatever their number and length", () => {
	const text = fc.oneof(
		fc.string({ unit: "binary" }),
		fc.integer({ max: 40_000, min: 0 }).map((length) => "x".repeat(length)),
	);
	const part = fc.oneof(text, fc.uint8Array(), fc.array(text));
	fc.assert(
		fc.property(fc.array(part), (parts) => {
			expect(digest(parts)).toBe(expected(parts));
		}),
	);
});

test("a part may be longer than what is hashed at once, and may be cut nowhere", () => {
	const long = `${"a".repeat(SLICE_LENGTH - 1)}🙂`;
	for (const parts of [[long, "b"], ["b", long, "c"], [Buffer.from(long), "b"], [[long, "b"]]]) {
		expect(digest(parts)).toBe(expected(parts));
	}
	expect(digest(["ab", "c"])).not.toBe(digest(["a", "bc"]));
});
