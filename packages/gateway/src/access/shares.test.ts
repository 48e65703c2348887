import fc from "fast-check";
import { expect, it } from "vitest";
import { Shares } from "./shares.ts";

it("counts what is taken, and forgets callers that have given all of it back", () => {
	const step = fc.record({
		id: fc.constantFrom("a", "b", "c"),
		amount: fc.integer({ min: 1, max: 9 }),
		back: fc.nat(),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
			const shares = new Shares({ total: 1000, perCaller: 1000 });
			const taken: { id: string; amount: number; giveBack: () => void }[] = [];
			for (const { id, amount, back } of steps) {
				if (back % 2 === 0) taken.push({ id, amount, giveBack: shares.take({ id }, amount) });
				else for (const { giveBack } of taken.splice(back % (taken.length + 1), 1)) giveBack();
				const total = taken.reduce((sum, one) => sum + one.amount, 0);
				expect(shares.used).toEqual({ total, callers: new Set(taken.map((one) => one.id)).size });
			}
		}),
	);
});
