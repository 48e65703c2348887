// `npm run conformance`: the vendor's own client, unchanged, against the emulator.
// Every case runs for every SDK version over every transport; one emulator process serves one such pair.
import { parseArgs } from "node:util";
import { cases } from "./cases/index.mjs";
import { TRANSPORTS } from "./kit/transports.mjs";
import { resolveToolchain } from "./runner/fetch-sdk.mjs";
import { runMatrixCell } from "./runner/matrix-cell.mjs";
import { stopAllProcesses } from "./runner/processes.mjs";
import { removeAllTemporaryFolders } from "./runner/temporary-folders.mjs";

const SDK_VERSIONS = ["1.0.18", "1.0.32"];
const USAGE = `usage: npm run conformance -- [--sdk ${SDK_VERSIONS.join("|")}] [--transport ${Object.keys(TRANSPORTS).join("|")}] [--case name]
cases: ${cases.map(({ name }) => name).join(", ")}`;

let interrupted = false;
for (const [signal, exitCode] of [
	["SIGINT", 130],
	["SIGTERM", 143],
]) {
	process.on(signal, async () => {
		interrupted = true;
		await stopAllProcesses();
		await removeAllTemporaryFolders();
		process.exit(exitCode);
	});
}

process.exitCode = await main();

/** @returns {Promise<number>} the exit code */
async function main() {
	const selection = readSelection();
	if (selection === undefined) return 2;

	let toolchain;
	try {
		toolchain = await resolveToolchain(selection.versions);
	} catch (error) {
		console.error(`conformance: ${error.message}`);
		return 1;
	}

	const startedAt = Date.now();
	let passed = 0;
	let failed = 0;
	try {
		for (const version of selection.versions) {
			for (const transport of selection.transports) {
				const { sdkFolder, node } = toolchain.get(version);
				console.log(`\n@cursor/sdk ${version} over ${transport} (Node ${node.version})`);
				const { emulatorSaid } = await runMatrixCell(
					{ version, transport, sdkFolder, node, cases: selection.cases },
					(outcome) => {
						// What fails because it is being stopped says nothing about the emulator.
						if (interrupted) return;
						if (outcome.ok) passed++;
						else failed++;
						printOutcome(outcome);
					},
				);
				if (emulatorSaid && !interrupted) console.log(`  the emulator said:\n${indent(emulatorSaid)}`);
			}
		}
	} finally {
		await stopAllProcesses();
		await removeAllTemporaryFolders();
	}

	console.log(`\nran for ${Math.round((Date.now() - startedAt) / 1000)} s`);
	console.log(`${passed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

function readSelection() {
	try {
		const { values } = parseArgs({
			options: {
				sdk: { type: "string" },
				transport: { type: "string" },
				case: { type: "string" },
				help: { type: "boolean", short: "h" },
			},
		});
		if (values.help) throw new Error("");
		return {
			versions: choose("--sdk", values.sdk, SDK_VERSIONS),
			transports: choose("--transport", values.transport, Object.keys(TRANSPORTS)),
			cases: choose(
				"--case",
				values.case,
				cases.map(({ name }) => name),
			),
		};
	} catch (error) {
		console.error([error.message, USAGE].filter(Boolean).join("\n"));
		return undefined;
	}
}

function choose(option, wanted, known) {
	if (wanted === undefined) return known;
	if (!known.includes(wanted)) throw new Error(`${option}: there is no "${wanted}"`);
	return [wanted];
}

function printOutcome({ title, ok, reason, milliseconds }) {
	const seconds = milliseconds === undefined ? "" : ` (${(milliseconds / 1000).toFixed(1)} s)`;
	if (ok) {
		console.log(`  ok    ${title}${seconds}`);
		return;
	}
	console.log(`  FAIL  ${title}${seconds}`);
	console.log(indent(String(reason)));
}

function indent(text) {
	return text.replace(/^/gm, "          ");
}
