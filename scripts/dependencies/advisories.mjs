// Known weaknesses of what users get: a list kept by hand, and what the registry says where it answers.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { nameOf, runTimeEntries } from "./lock.mjs";

const LIMIT_MS = 30_000;

export const ADVISORIES = JSON.parse(readFileSync(new URL("./advisories.json", import.meta.url), "utf8"));

/**
 * @param {Record<string, any>} packages of package-lock.json
 * @param {{ id: string, package: string, from: string, before: string, what: string }[]} advisories
 * @returns {string[]} what is wrong
 */
export function knownProblems(packages, advisories = ADVISORIES.advisories) {
	return runTimeEntries(packages).flatMap(([path, { version }]) =>
		advisories
			.filter(({ package: name, from, before }) => name === nameOf(path) && isWithin(version, from, before))
			.map(({ id, what, before }) => `${path} ${version}: ${id}, ${what}; it is mended in ${before}`),
	);
}

/** From the first (inclusive) to the second (exclusive); what follows a dash does not count. */
export function isWithin(version, from, before) {
	return compare(version, from) >= 0 && compare(version, before) < 0;
}

function compare(one, other) {
	const [left, right] = [one, other].map((text) => text.split("-")[0].split(".").map(Number));
	for (let at = 0; at < 3; at++) if ((left[at] ?? 0) !== (right[at] ?? 0)) return (left[at] ?? 0) - (right[at] ?? 0);
	return 0;
}

/**
 * What `npm audit` says of the run-time dependencies.
 *
 * @returns {Promise<{ available: boolean, reason?: string, problems: string[] }>}
 */
export async function askRegistry(root) {
	const args = ["audit", "--omit=dev", "--json", "--audit=true"];
	const options = { cwd: root, timeout: LIMIT_MS, maxBuffer: 64 << 20 };
	// It exits with 1 both where it found something and where it could not ask.
	const { stdout = "" } = await promisify(execFile)("npm", args, options).catch((error) => error);
	return readAudit(stdout);
}

export function readAudit(stdout) {
	const report = parse(stdout);
	if (!report?.vulnerabilities) {
		const reason = String(report?.message ?? report?.error?.summary ?? "no answer").split("\n")[0];
		return { available: false, reason: reason.replace(/https?:\/\/\S+/g, "the registry"), problems: [] };
	}
	const problems = Object.values(report.vulnerabilities).map(
		({ name, severity, range }) => `${name} ${range}: ${severity}, by the registry's advisories`,
	);
	return { available: true, problems };
}

function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
