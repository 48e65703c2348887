import fc from "fast-check";
import { expect, it } from "vitest";
import { type CensusRow, MOST_ROWS, MOST_VERSIONS, type Sighting, Tally } from "./tally.ts";

const field = (path: string): Sighting => ({ what: "field", path, message: "m", field: 1, wireType: "varint" });

it("counts by client version and path, with the first and the last time", () => {
	const tally = new Tally();
	tally.add("v1", field("a"), 5);
	tally.add("v1", field("a"), 9);
	tally.add("v2", field("a"), 7);
	tally.add("v1", { what: "enum-value", path: "e", message: "m", field: 1, value: 1 }, 1);
	tally.add("v1", { what: "enum-value", path: "e", message: "m", field: 1, value: 2 }, 2);
	expect(tally.rows().map((row) => [row.clientVersion, row.path, row.count, row.firstSeen, row.lastSeen])).toEqual([
		["v1", "e", 1, 1, 1],
		["v1", "e", 1, 2, 2],
		["v1", "a", 2, 5, 9],
		["v2", "a", 1, 7, 7],
	]);
});

it("stays small in a flood of different paths, and loses no count", () => {
	const tally = new Tally();
	for (let number = 0; number < 50_000; number++) tally.add("v", field(`m.${number}`), number);
	const rows = tally.rows();
	expect(rows).toHaveLength(MOST_ROWS);
	expect(rows.at(-1)).toMatchObject({ what: "more", count: 50_000 - MOST_ROWS + 1 });
});

it("keeps the client versions that were seen last", () => {
	const tally = new Tally();
	for (let number = 0; number < 20; number++) tally.add(`v${number}`, field("a"), number);
	const versions = tally.rows().map(({ clientVersion }) => clientVersion);
	expect(versions).toEqual(Array.from({ length: MOST_VERSIONS }, (_, index) => `v${20 - MOST_VERSIONS + index}`));
});

it("gives the same counts in one piece and in two that are merged", () => {
	const sightings = fc.array(fc.tuple(fc.nat(MOST_ROWS + 50), fc.nat(9)), { maxLength: 600 });
	const total = (rows: readonly CensusRow[]) => rows.reduce((sum, { count }) => sum + count, 0);
	fc.assert(
		fc.property(sightings, fc.nat(600), (all, cut) => {
			const [one, first, second] = [new Tally(), new Tally(), new Tally()];
			for (const [index, [number, at]] of all.entries()) {
				one.add("v", field(String(number)), at);
				(index < cut ? first : second).add("v", field(String(number)), at);
			}
			first.merge(second.rows());
			expect(total(first.rows())).toBe(total(one.rows()));
			expect(first.rows().length).toBeLessThanOrEqual(MOST_ROWS);
		}),
		{ numRuns: 50 },
	);
});
