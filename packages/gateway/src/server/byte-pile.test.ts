import fc from "fast-check";
import { expect, it } from "vitest";
import { pausesOf } from "../../test/kit/slices.ts";
import { atOnce } from "../time/slices.ts";
import { BytePile } from "./byte-pile.ts";

it("gives back what was put in, in whatever pieces it came", () => {
	const sizes = fc.array(fc.oneof(fc.nat(10), fc.nat(20_000), fc.integer({ min: 60_000, max: 140_000 })), {
		maxLength: 20,
	});
	fc.assert(
		fc.property(sizes, (lengths) => {
			const pieces = lengths.map((length, at) => Buffer.alloc(length, at + 1));
			const pile = new BytePile();
			for (const piece of pieces) pile.add(piece);
			const whole = Buffer.concat(pieces);
			expect(pile.length).toBe(whole.length);
			expect(atOnce(pile.take()).equals(whole)).toBe(true);
		}),
	);
});

it("holds a million pieces of one byte in little more than a million bytes", () => {
	const pile = new BytePile();
	const before = process.memoryUsage();
	for (let at = 0; at < 1_000_000; at++) pile.add(Buffer.of(at & 0xff));
	const { heapUsed, external } = process.memoryUsage();
	// As single buffers they would be 100 MB and more.
	expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(50e6);
	expect(atOnce(pile.take())).toHaveLength(1_000_000);
});

it("gives a large content in slices", () => {
	const pile = new BytePile();
	for (let at = 0; at < 100; at++) pile.add(Buffer.alloc(64 * 1024));
	expect(pausesOf(pile.take())).toBe(100);
});
