import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredKey } from "../store.ts";
import { mergeKeys, missingKeys } from "./merge-keys.ts";

const record = fc.record(
	{
		id: fc.constantFrom("a", "b", "c"),
		name: fc.constant("name"),
		hash: fc.constantFrom("1", "2", "3"),
		createdAt: fc.integer({ min: 0, max: 3 }),
		revokedAt: fc.integer({ min: 0, max: 3 }),
	},
	{ requiredKeys: ["id", "name", "hash", "createdAt"] },
) as fc.Arbitrary<StoredKey>;
const copies = fc.array(fc.array(record, { maxLength: 5 }), { minLength: 1, maxLength: 4 });

describe("copies of the keys", () => {
	it("know what any of them knows, and hold for revoked what any of them does", () => {
		fc.assert(
			fc.property(copies, (lists) => {
				const merged = mergeKeys(...lists);
				const all = lists.flat();
				expect(new Set(merged.map(({ hash }) => hash))).toEqual(new Set(all.map(({ hash }) => hash)));
				expect(merged).toHaveLength(new Set(all.map(({ hash }) => hash)).size);
				for (const { hash, revokedAt } of merged) {
					const isRevoked = all.some((key) => key.hash === hash && key.revokedAt !== undefined);
					expect(revokedAt !== undefined).toBe(isRevoked);
				}
			}),
		);
	});

	it("are the same whichever comes first, and merging again changes nothing", () => {
		fc.assert(
			fc.property(copies, (lists) => {
				const merged = mergeKeys(...lists);
				const states = (keys: StoredKey[]) => keys.map(({ hash, revokedAt }) => [hash, revokedAt]).sort();
				expect(states(mergeKeys(...[...lists].reverse()))).toEqual(states(merged));
				expect(mergeKeys(merged, merged)).toEqual(merged);
				expect(missingKeys(merged, merged)).toEqual([]);
			}),
		);
	});
});
