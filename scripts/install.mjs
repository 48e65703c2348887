// Installs what package-lock.json names and nothing else, as `npm ci` would: for CI and for images. `npm ci` itself
// refuses a lock that does not name the packages of all systems, and some registries do not have them all.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { changeProblems, installProblems, readInstalled, readLock } from "./dependencies/lock.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const before = readLock(ROOT);
const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: ROOT, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

const problems = [...changeProblems(before, readLock(ROOT), readInstalled(ROOT) ?? {}), ...installProblems(ROOT)];
if (problems.length > 0) {
	console.error(
		"package-lock.json and what was installed differ. Run `npm install`, look at the change, and commit it:",
	);
	for (const problem of problems) console.error(`  ${problem}`);
	process.exit(1);
}
console.log("What is installed is what package-lock.json names.");
