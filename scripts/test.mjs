// `npm test`: types, lint, layer rules, generated code and all tests, closing with one line that counts them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const bin = (name) => join("node_modules", ".bin", name);
const folder = mkdtempSync(join(tmpdir(), "cursorwire-test-"));
const report = join(folder, "vitest.json");

const checks = [
	["types", bin("tsc"), ["--noEmit", "-p", "tsconfig.json"]],
	["lint", bin("biome"), ["ci", "--error-on-warnings"]],
	["layers", bin("depcruise"), ["--config", ".dependency-cruiser.mjs", "packages"]],
	["generated code", "node", ["packages/protocol/scripts/generate.mjs", "--check"]],
];

let passed = 0;
let failed = 0;
for (const [name, command, args] of checks) {
	console.log(`\n> ${name}`);
	const { status } = spawnSync(command, args, { stdio: "inherit" });
	if (status === 0) passed++;
	else failed++;
}

console.log("\n> tests");
const run = spawnSync(
	bin("vitest"),
	["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...process.argv.slice(2)],
	{ stdio: "inherit" },
);
try {
	const counts = JSON.parse(readFileSync(report, "utf8"));
	passed += counts.numPassedTests;
	failed += counts.numFailedTests;
	// A file that cannot be loaded, or an unhandled rejection, fails the run without a failed test in it.
	if (run.status !== 0 && counts.numFailedTests === 0) failed++;
} catch {
	failed++;
}
rmSync(folder, { recursive: true, force: true });

console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
