// `npm run test:mutants` takes long and is run by hand. That its list still fits the program is checked here.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rowsIn } from "../../scripts/proving-tests.ts";
import { ROW_IDS } from "../../scripts/reliability-rows.ts";
// @ts-expect-error: a script without types
import { MUTANTS } from "./index.mjs";

interface Mutant {
	row: string;
	mistake: string;
	file: string;
	find: string;
	replace: string;
	test: string;
	title?: string;
}

const ROOT = new URL("../../../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), "utf8");

describe.each((MUTANTS as Mutant[]).map((mutant) => [mutant.row, mutant.mistake, mutant] as const))(
	"the mutant of %s (%s)",
	(row, _mistake, mutant) => {
		it("changes the program, at one place", () => {
			expect(mutant.file).toMatch(/^packages\/gateway\/src\/.*(?<!\.test)\.ts$/);
			expect(read(mutant.file).split(mutant.find)).toHaveLength(2);
			expect(mutant.replace).not.toBe(mutant.find);
		});

		it("has a test of its row that is there", () => {
			expect(ROW_IDS).toContain(row);
			expect(existsSync(new URL(mutant.test, ROOT))).toBe(true);
			expect([...rowsIn(read(mutant.test))]).toContain(row);
		});
	},
);
