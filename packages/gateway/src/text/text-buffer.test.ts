import fc from "fast-check";
import { expect, it } from "vitest";
import { TextBuffer } from "./text-buffer.ts";

it("gives back what was added, whatever the pieces", () => {
	fc.assert(
		fc.property(fc.array(fc.string(), { maxLength: 3000 }), (pieces) => {
			const buffer = new TextBuffer();
			for (const piece of pieces) buffer.add(piece);
			const all = pieces.join("");
			expect([buffer.length, buffer.toString(), buffer.parts().join("")]).toEqual([all.length, all, all]);
			expect(buffer.head(20)).toBe(all.slice(0, 20));
			expect(buffer.take()).toBe(all);
			expect([buffer.length, buffer.take()]).toEqual([0, ""]);
		}),
		{ numRuns: 50 },
	);
});

it("keeps no list of a million pieces", () => {
	const buffer = new TextBuffer();
	for (let count = 0; count < 1_000_000; count++) buffer.add("ab");
	expect(buffer.length).toBe(2_000_000);
	expect(buffer.parts().length).toBeLessThan(1_000);
});
