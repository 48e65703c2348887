// `npm test`: types, lint, layer rules, dependencies, generated code and all tests, closing with one line that counts them.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { runVitest } from "./run-vitest.mjs";

const bin = (name) => join("node_modules", ".bin", name);

const checks = [
	["types", bin("tsc"), ["--noEmit", "-p", "tsconfig.json"]],
	["lint", bin("biome"), ["ci", "--error-on-warnings"]],
	["layers", bin("depcruise"), ["--config", ".dependency-cruiser.mjs", "packages"]],
	["dependencies", "node", ["scripts/check-dependencies.mjs"]],
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
const tests = runVitest([], process.argv.slice(2));
passed += tests.passed;
failed += tests.failed;

console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
