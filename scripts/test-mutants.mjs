// `npm run test:mutants`: makes one mistake after the other in the program, runs the test that has to notice it, and
// puts the program back. A mistake that no test notices is exit 1.
//   --row U12   only the mutants of this row
//   --shard 1/2 the first half of the test files and their mutants, for two checkouts side by side
//   --list      what there is, without running anything
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { GROUPS_WITH_MUTANTS, MUTANTS, titleOf } from "../packages/gateway/test/mutants/index.mjs";
import { obstacle } from "./mutants/applicable.mjs";
import { restoreLeftovers, withMutant } from "./mutants/change.mjs";
import { runTests } from "./mutants/run-tests.mjs";

const { values } = parseArgs({
	options: {
		row: { type: "string" },
		shard: { type: "string", default: "1/1" },
		list: { type: "boolean", default: false },
	},
});
const isInShard = shardOf(values.shard);
const mutants = MUTANTS.filter(({ row, test }) => (values.row === undefined || row === values.row) && isInShard(test));

/** All mutants of one test file are in one shard: each has to be green before. */
function shardOf(wanted) {
	const [, index, count] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(wanted) ?? [];
	if (index === undefined || Number(index) > Number(count))
		stop(`--shard takes a part of a whole such as 1/2, not ${wanted}`);
	const tests = [...new Set(MUTANTS.map(({ test }) => test))].sort();
	return (test) => tests.indexOf(test) % Number(count) === Number(index) - 1;
}

function stop(message) {
	console.error(message);
	process.exit(1);
}

/** Rows that should have a mutant and have none. */
function rowsWithout() {
	const source = readFileSync("packages/gateway/scripts/reliability-rows.ts", "utf8");
	const ids = [...source.matchAll(/^\t+([A-Z]\d+): \[/gm)].map(([, id]) => id);
	if (ids.length === 0) stop("no rows were found in packages/gateway/scripts/reliability-rows.ts");
	const covered = new Set(MUTANTS.map(({ row }) => row));
	return ids.filter((id) => GROUPS_WITH_MUTANTS.includes(id[0]) && !covered.has(id));
}

/** Unchanged, every test that is to go red has to be green: once for each file. */
function requireGreen() {
	for (const test of new Set(mutants.map((mutant) => mutant.test))) {
		const titles = [...new Set(mutants.filter((mutant) => mutant.test === test).map(titleOf))];
		console.log(`unchanged: ${test}`);
		const { verdict, told, names } = runTests(test, titles.join("|"));
		if (verdict !== "green") stop(`${test} is not green without any mistake (${verdict})\n${told}`);
		const unmatched = titles.filter((title) => !names.some((name) => new RegExp(title).test(name)));
		if (unmatched.length > 0) stop(`${test} has no test ${unmatched.join(", ")}`);
	}
}

const OUTCOMES = { red: "noticed", green: "SURVIVED", broken: "BROKEN" };

function runMutant(mutant) {
	const { verdict, told } = withMutant(mutant, () => runTests(mutant.test, titleOf(mutant)));
	console.log(`${mutant.row.padEnd(4)} ${OUTCOMES[verdict].padEnd(9)} ${mutant.mistake}`);
	if (verdict === "broken") console.log(told);
	return { ...mutant, verdict };
}

if (mutants.length === 0) stop(`there is no mutant for ${values.row}`);
if (values.list) {
	for (const { row, mistake, file, test } of mutants)
		console.log(`${row.padEnd(4)} ${mistake}\n     ${file} → ${test}`);
	console.log(`${mutants.length} mutants; rows without one: ${rowsWithout().join(", ") || "none"}`);
	process.exit(0);
}
// Not before a mere list: another run may be under way.
restoreLeftovers();
const inTheWay = obstacle(mutants);
if (inTheWay !== undefined) stop(inTheWay);
requireGreen();
const results = mutants.map(runMutant);
const unnoticed = results.filter(({ verdict }) => verdict !== "red");
const missing = values.row === undefined ? rowsWithout() : [];
console.log(`\n${results.length - unnoticed.length} of ${results.length} mutants were noticed`);
for (const { row, mistake, file, test, verdict } of unnoticed)
	console.log(`${row} ${OUTCOMES[verdict]}: ${mistake} (${file}, ${test})`);
if (missing.length > 0) console.log(`rows without a mutant: ${missing.join(", ")}`);
process.exit(unnoticed.length + missing.length === 0 ? 0 : 1);
