// `npm run conformance:mutants` takes minutes and is run by hand. That its list still fits the emulator is checked here.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
// @ts-expect-error: a script without types
import { cases } from "../conformance/cases/index.mjs";
// @ts-expect-error: a script without types
import { TRANSPORTS } from "../conformance/kit/transports.mjs";
// @ts-expect-error: a script without types
import { MUTANTS } from "../conformance/mutants.mjs";

interface Mutant {
	mistake: string;
	file: string;
	find: string;
	replace: string;
	case: string;
	transport?: string;
}

const ROOT = new URL("../../../", import.meta.url);

it.each((MUTANTS as Mutant[]).map((mutant) => [mutant.mistake, mutant] as const))("%s", (_mistake, mutant) => {
	expect(mutant.file).toMatch(/^packages\/emulator\/src\/.*(?<!\.test)\.ts$/);
	expect(readFileSync(new URL(mutant.file, ROOT), "utf8").split(mutant.find)).toHaveLength(2);
	expect(mutant.replace).not.toBe(mutant.find);
	expect(cases.map(({ name }: { name: string }) => name)).toContain(mutant.case);
	expect(Object.keys(TRANSPORTS)).toContain(mutant.transport ?? "h2c");
});
