import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { ADVISORIES, isWithin, knownProblems, readAudit } from "../../../../scripts/dependencies/advisories.mjs";
// @ts-expect-error: a script without types
import { isAllowed, licenceProblems } from "../../../../scripts/dependencies/licences.mjs";
// @ts-expect-error: a script without types
import { nameOf, readLock, runTimeEntries } from "../../../../scripts/dependencies/lock.mjs";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

describe("D3: licences", () => {
	it("of all that users get are on the list", () => {
		expect(licenceProblems(ROOT, readLock(ROOT))).toEqual([]);
	});

	it.each([
		["MIT", true],
		["(Apache-2.0 AND BSD-3-Clause)", true],
		["(GPL-3.0-only OR MIT)", true],
		["GPL-3.0-only", false],
		["(MIT AND GPL-3.0-only)", false],
		["MIT AND (GPL-3.0-only OR ISC)", false],
		["SEE LICENSE IN file", false],
		["", false],
		[undefined, false],
		[{ type: "MIT" }, false],
	])("%o: %s", (expression, allowed) => expect(isAllowed(expression)).toBe(allowed));

	it("that are not on it are named with their package", () => {
		const packages = { "node_modules/not-installed": { version: "1.0.0", license: "AGPL-3.0-only" } };
		expect(licenceProblems(ROOT, packages)).toEqual([expect.stringMatching(/not-installed.*AGPL/)]);
	});
});

describe("D3: advisories", () => {
	it("on the list are about packages that users get, and none of them applies", () => {
		const names = new Set(runTimeEntries(readLock(ROOT)).map(([path]: [string]) => nameOf(path)));
		for (const advisory of ADVISORIES.advisories) expect(names).toContain(advisory.package);
		expect(ADVISORIES.reviewed).toMatch(/^\d{4}-\d\d-\d\d$/);
		expect(knownProblems(readLock(ROOT))).toEqual([]);
	});

	it("that apply are told with what mends them", () => {
		const packages = { "node_modules/zod": { version: "3.22.2" }, "node_modules/yaml": { version: "2.2.2" } };
		expect(knownProblems(packages)).toEqual([expect.stringMatching(/zod 3\.22\.2: GHSA-.*mended in 3\.22\.3/)]);
	});

	it.each([
		["1.0.0", true],
		["1.9.10", true],
		["2.0.0", false],
		["0.9.9", false],
		["1.10.0-beta.1", true],
	])("from 1.0.0 to 2.0.0 concern %s: %s", (version, expected) => {
		expect(isWithin(version, "1.0.0", "2.0.0")).toBe(expected);
	});

	it("of the registry count where it serves them, and are not available where it does not", () => {
		const refused = JSON.stringify({ message: "405 Method Not Allowed - POST https://user:secret@host/bulk" });
		expect(readAudit(refused)).toEqual({
			available: false,
			reason: "405 Method Not Allowed - POST the registry",
			problems: [],
		});
		expect(readAudit("")).toMatchObject({ available: false, reason: "no answer" });
		expect(readAudit(JSON.stringify({ vulnerabilities: {} }))).toEqual({ available: true, problems: [] });
		const found = { vulnerabilities: { a: { name: "a", severity: "high", range: "<2" } } };
		expect(readAudit(JSON.stringify(found)).problems).toEqual(["a <2: high, by the registry's advisories"]);
	});
});
