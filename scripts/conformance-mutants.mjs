// `npm run conformance:mutants`: makes one mistake after the other in the emulator, runs the case that has to notice it
// with the official SDK, and puts the emulator back. A mistake that no case notices is exit 1.
//   --only text   only the mutants whose description has this in it
//   --list        what there is, without running anything
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { MUTANTS } from "../packages/emulator/conformance/mutants.mjs";
import { obstacle } from "./mutants/applicable.mjs";
import { restoreLeftovers, withMutant } from "./mutants/change.mjs";

const SDK = "1.0.32";
const { values } = parseArgs({ options: { only: { type: "string" }, list: { type: "boolean", default: false } } });
const mutants = MUTANTS.filter(({ mistake }) => values.only === undefined || mistake.includes(values.only));

function stop(message) {
	console.error(message);
	process.exit(1);
}

/** @returns {{ isGreen: boolean, isRed: boolean, told: string }} red: the case ran and failed; nothing else proves anything */
function runCase({ case: name, transport = "h2c" }) {
	const args = ["packages/emulator/conformance/run.mjs", "--sdk", SDK, "--transport", transport, "--case", name];
	const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: "utf8" });
	// Ctrl-C goes to the case as well.
	if (signal !== null) process.exit(130);
	const told = `${stdout}${stderr}`;
	const didNotStart = /Transform failed|ended before it was ready/.test(told);
	return {
		isGreen: /^1 passed, 0 failed$/m.test(told),
		isRed: /^0 passed, 1 failed$/m.test(told) && !didNotStart,
		told,
	};
}

if (mutants.length === 0) stop(`there is no mutant with "${values.only}" in its description`);
if (values.list) {
	for (const { mistake, case: name, file } of mutants) console.log(`${name.padEnd(8)} ${mistake}\n         ${file}`);
	process.exit(0);
}
// Not before a mere list: another run may be under way.
restoreLeftovers();
const inTheWay = obstacle(mutants);
if (inTheWay !== undefined) stop(inTheWay);

for (const each of new Map(mutants.map((mutant) => [`${mutant.case} ${mutant.transport}`, mutant])).values()) {
	const { isGreen, told } = runCase(each);
	if (!isGreen) stop(`the case ${each.case} is not green without any mistake\n${told}`);
}
let unnoticed = 0;
for (const mutant of mutants) {
	const { isRed, isGreen, told } = withMutant(mutant, () => runCase(mutant));
	if (!isRed) unnoticed++;
	console.log(`${mutant.case.padEnd(8)} ${isRed ? "noticed " : isGreen ? "SURVIVED" : "BROKEN  "} ${mutant.mistake}`);
	if (!isRed && !isGreen) console.log(told);
}
console.log(`\n${mutants.length - unnoticed} of ${mutants.length} mutants were noticed`);
process.exit(unnoticed === 0 ? 0 : 1);
