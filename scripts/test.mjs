// `npm test`: all checks and all tests, closing with how long each took and one line that counts them.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { printTotal, runVitest } from "./run-vitest.mjs";

const bin = (name) => join("node_modules", ".bin", name);

const checks = [
	["types", bin("tsc"), ["--noEmit", "-p", "tsconfig.json"]],
	["types of the page", bin("tsc"), ["--noEmit", "-p", "packages/page/tsconfig.json"]],
	["lint", bin("biome"), ["ci", "--error-on-warnings"]],
	["layers", bin("depcruise"), ["--config", ".dependency-cruiser.mjs", "packages"]],
	["unused", bin("knip"), []],
	["sizes", "node", ["scripts/check-sizes.mjs"]],
	["dependencies", "node", ["scripts/check-dependencies.mjs"]],
	["generated code", "node", ["packages/protocol/scripts/generate.mjs", "--check"]],
];

let passed = 0;
let failed = 0;
const times = [];

/** Runs a part of it under its name, and remembers how long that took. */
function timed(name, run) {
	console.log(`\n> ${name}`);
	const begun = Date.now();
	const result = run();
	times.push(`${name} ${Math.round((Date.now() - begun) / 1000)} s`);
	return result;
}

for (const [name, command, args] of checks) {
	const { status } = timed(name, () => spawnSync(command, args, { stdio: "inherit" }));
	if (status === 0) passed++;
	else failed++;
}

const tests = timed("tests", () => runVitest("test", process.argv.slice(2)));

console.log(`\n${times.join(", ")}`);
printTotal({ passed: passed + tests.passed, failed: failed + tests.failed, skipped: tests.skipped });
