import { expect, it } from "vitest";
import { pausesOf } from "../../test/kit/slices.ts";
import { atOnce, SLICE_LENGTH } from "../time/slices.ts";
import { joinBytes } from "./join-bytes.ts";

it("joins bytes as they come, with a pause after each piece and within a long one", () => {
	const sizes = [0, 1, 3 * SLICE_LENGTH + 7, 0, 5, SLICE_LENGTH];
	const pieces = sizes.map((size, index) => new Uint8Array(size).fill(index));
	expect(atOnce(joinBytes(pieces)).equals(Buffer.concat(pieces))).toBe(true);
	expect(pausesOf(joinBytes(pieces))).toBe(7);
});

it("joins few bytes at once", () => {
	expect(atOnce(joinBytes([]))).toHaveLength(0);
	expect(atOnce(joinBytes([Buffer.from("a"), Buffer.from("bc")])).toString()).toBe("abc");
	expect(pausesOf(joinBytes([Buffer.from("a"), Buffer.from("bc")]))).toBe(0);
});
