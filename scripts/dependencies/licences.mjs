// Which licences the packages that users get may have: those that ask for no more than to be named.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runTimeEntries } from "./lock.mjs";

const ALLOWED = new Set(["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"]);

/** Whether an SPDX expression can be met by what is allowed. */
export function isAllowed(expression) {
	if (typeof expression !== "string" || expression.trim() === "") return false;
	const text = expression.replace(/[()]/g, " ").trim();
	// An expression that mixes both words needs a person.
	if (/\bOR\b/.test(text) && /\bAND\b/.test(text)) return false;
	const names = text.split(/\s+(?:OR|AND)\s+/);
	const test = (name) => ALLOWED.has(name);
	return /\bOR\b/.test(text) ? names.some(test) : names.every(test);
}

/**
 * @param {string} root
 * @param {Record<string, any>} packages of package-lock.json
 * @returns {string[]} what is wrong
 */
export function licenceProblems(root, packages) {
	return runTimeEntries(packages).flatMap(([path, entry]) => {
		const file = join(root, path, "package.json");
		// What is not for this system is not installed: the lock has to do.
		const licence = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).license : entry.license;
		return isAllowed(licence) ? [] : [`${path} has the licence ${JSON.stringify(licence)}, which is not on the list`];
	});
}
