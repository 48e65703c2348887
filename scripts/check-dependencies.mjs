// `npm run check:dependencies`: the lock, what is installed by it, engines, licences and known weaknesses.
// `-- --offline` does not ask the registry.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ADVISORIES, askRegistry, knownProblems } from "./dependencies/advisories.mjs";
import { engineProblems } from "./dependencies/engines.mjs";
import { licenceProblems } from "./dependencies/licences.mjs";
import { installProblems, lockProblems, readLock, runTimeEntries } from "./dependencies/lock.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { offline: { type: "boolean", default: false } } });
const packages = readLock(ROOT);

const checks = [
	["lock", lockProblems(packages)],
	["installed", installProblems(ROOT)],
	["engines", engineProblems(packages)],
	["licences", licenceProblems(ROOT, packages)],
	[`advisories (list of ${ADVISORIES.reviewed})`, knownProblems(packages)],
];
if (!values.offline) {
	const { available, reason, problems } = await askRegistry(ROOT);
	if (available) checks.push(["advisories (registry)", problems]);
	else console.log(`advisories (registry): not available here (${reason})`);
}
for (const [name, problems] of checks) {
	console.log(`${name}: ${problems.length === 0 ? "ok" : `${problems.length} wrong`}`);
	for (const problem of problems) console.log(`  ${problem}`);
}
console.log(`${runTimeEntries(packages).length} packages are part of what users get`);
process.exitCode = checks.some(([, problems]) => problems.length > 0) ? 1 : 0;
