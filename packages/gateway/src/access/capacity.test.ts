import fc from "fast-check";
import { expect, it } from "vitest";
import { Capacity } from "./capacity.ts";

it("counts what is taken, and forgets callers that have given everything back", () => {
	const ids = fc.constantFrom("a", "b", "c");
	fc.assert(
		fc.property(fc.array(fc.tuple(ids, fc.boolean()), { maxLength: 100 }), (steps) => {
			const capacity = new Capacity({ total: 5, perCaller: 3 });
			const taken: { id: string; giveBack: () => void }[] = [];
			for (const [id, takes] of steps) {
				const index = taken.findIndex((entry) => entry.id === id);
				if (!takes && index >= 0) taken.splice(index, 1)[0]!.giveBack();
				if (takes && !capacity.shortage({ id }, 1)) taken.push({ id, giveBack: capacity.take({ id }, 1) });
				expect(capacity.used).toEqual({ total: taken.length, callers: new Set(taken.map((entry) => entry.id)).size });
			}
		}),
	);
});

it("counts what is given back once, however often that is said", () => {
	const capacity = new Capacity({ total: 4, perCaller: 4 });
	const giveBack = capacity.take({ id: "a" }, 2);
	capacity.take({ id: "a" }, 1);
	giveBack();
	giveBack();
	expect(capacity.used).toEqual({ total: 1, callers: 1 });
});
