import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { provingTests, rowsIn } from "../../scripts/proving-tests.ts";
import { RELIABILITY, ROW_IDS } from "../../scripts/reliability-rows.ts";

const ROOT = new URL("../../../../", import.meta.url);
const COUNTS = { L: 9, U: 26, C: 3, S: 9, K: 9, O: 8, B: 15, A: 24, D: 4 };

describe("the table of what the gateway holds, survives and refuses", () => {
	it("has 107 rows, numbered without a gap", () => {
		const numbered = Object.entries(COUNTS).flatMap(([letter, count]) =>
			Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
		);
		expect(ROW_IDS).toHaveLength(107);
		expect([...ROW_IDS].sort()).toEqual(numbered.sort());
		for (const [scenario, expectation] of RELIABILITY.flatMap(({ rows }) => Object.values(rows))) {
			expect(scenario).toMatch(/\S/);
			expect(expectation).toMatch(/\S/);
		}
	});

	it("has a test for every row, by the title of that test", () => {
		const tests = provingTests();
		expect(ROW_IDS.filter((id) => !tests.has(id))).toEqual([]);
	});

	it("has no test for a row that is not there", () => {
		expect([...provingTests().keys()].filter((id) => !ROW_IDS.includes(id))).toEqual([]);
	});

	it("names files that exist", () => {
		const text = readFileSync(new URL("docs/reliability.md", ROOT), "utf8");
		const files = [...text.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file]) => file!);
		expect(files.length).toBeGreaterThan(0);
		expect(files.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
	});
});

describe("the rows that a source proves", () => {
	it.each([
		["a title", 'it("A1: no", () => {})', ["A1"]],
		["two ids", 'describe("U1, U2: no", () => {})', ["U1", "U2"]],
		["an id at the end", 'it("takes results by rebuilding (S1)", () => {})', ["S1"]],
		["a list of cases", 'describe.each([1])("B3: %s", () => {})', ["B3"]],
		["a test under a condition", 'it.runIf(true).each([1])("B3: %s", () => {})', ["B3"]],
		["a title with a value in it", "it(`K2: $" + "{rounds} rounds`, () => {})", ["K2"]],
		["a table of titles", 'const cases = [["U4: a reset", 1]]', ["U4"]],
		["a comment", "// A1: no test\nit('something', () => {})", []],
		["a label", 'expect(lines).toEqual(["L1: a"])', []],
		["some other text", 'expect("A1 and U2").toBe("C3")', []],
		["something longer", 'it("UTF16 and A100 and XA1", () => {})', []],
	])("are read from %s", (_name, source, ids) => {
		expect([...rowsIn(source)]).toEqual(ids);
	});
});
