// `npm run conformance`: the vendor's own client, unchanged, against the emulator.
// Every case runs for every SDK version over its transports. Each such cell has an emulator process of its own.
import { parseArgs } from "node:util";
import { cases } from "./cases/index.mjs";
import { TRANSPORTS } from "./kit/transports.mjs";
import { latestSdk, resolveToolchain } from "./runner/fetch-sdk.mjs";
import { runMatrixCell } from "./runner/matrix-cell.mjs";
import { stopAllProcesses } from "./runner/processes.mjs";
import { removeAllTemporaryFolders } from "./runner/temporary-folders.mjs";

/** Without `--sdk`: the newest known version over all transports, an old one over those that its code treats differently. */
const USUAL_CELLS = { "1.0.18": ["http1", "h2c", "tls"], "1.0.32": Object.keys(TRANSPORTS) };

/** A cell mostly waits, so two at once take little longer than one. */
const CELLS_AT_ONCE = 2;

const USAGE = `usage: npm run conformance -- [--sdk <version>|latest] [--transport ${Object.keys(TRANSPORTS).join("|")}] [--case name]
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

	let cells;
	try {
		cells = await chooseCells(selection);
	} catch (error) {
		console.error(`conformance: ${error.message}`);
		return 1;
	}

	const startedAt = Date.now();
	const count = { passed: 0, failed: 0 };
	const waiting = [...cells];
	const work = async () => {
		for (let cell = waiting.shift(); cell && !interrupted; cell = waiting.shift()) await runCell(cell, count);
	};
	try {
		await Promise.all(Array.from({ length: CELLS_AT_ONCE }, work));
	} finally {
		await stopAllProcesses();
		await removeAllTemporaryFolders();
	}

	console.log(`\nran for ${Math.round((Date.now() - startedAt) / 1000)} s`);
	console.log(`${count.passed} passed, ${count.failed} failed`);
	return count.failed === 0 ? 0 : 1;
}

async function chooseCells({ sdk, transport, cases }) {
	const version = sdk === "latest" ? await latestSdk() : sdk;
	const usual = version === undefined ? USUAL_CELLS : { [version]: Object.keys(TRANSPORTS) };
	const toolchain = await resolveToolchain(Object.keys(usual));
	return Object.entries(usual).flatMap(([version, transports]) =>
		(transport === undefined ? transports : [transport]).map((transport) => ({
			version,
			transport,
			cases,
			...toolchain.get(version),
		})),
	);
}

/** Prints a cell when it is done, because two run at once. */
async function runCell(cell, count) {
	const lines = [`\n@cursor/sdk ${cell.version} over ${cell.transport} (Node ${cell.node.version})`];
	const failed = await runCases(cell, lines);
	// A fault of the SDK itself, such as a race for a file of its own store, seldom comes twice. One of the emulator does.
	const again = failed.length === 0 || interrupted ? [] : ["  once more, by themselves:"];
	const failedAgain = again.length === 0 ? failed : await runCases({ ...cell, cases: failed }, again);
	// A case that fails because the run is being stopped says nothing about the emulator.
	if (interrupted) return;
	count.failed += failedAgain.length;
	count.passed += cell.cases.length - failedAgain.length;
	console.log([...lines, ...again].join("\n"));
}

/** Returns the names of those that failed. */
async function runCases(cell, lines) {
	const failed = [];
	const { emulatorSaid } = await runMatrixCell(cell, (outcome) => {
		if (!outcome.ok) failed.push(outcome.name);
		lines.push(describe(outcome));
	});
	if (emulatorSaid) lines.push(`  the emulator said:\n${indent(emulatorSaid)}`);
	return failed;
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
		if (values.sdk !== undefined && !/^(latest|\d+\.\d+\.\d+(-[\w.]+)?)$/.test(values.sdk)) {
			throw new Error(`--sdk takes a version such as 1.0.32, or latest, not "${values.sdk}"`);
		}
		const names = cases.map(({ name }) => name);
		refuseUnknown("--transport", values.transport, Object.keys(TRANSPORTS));
		refuseUnknown("--case", values.case, names);
		return { sdk: values.sdk, transport: values.transport, cases: values.case === undefined ? names : [values.case] };
	} catch (error) {
		console.error([error.message, USAGE].filter(Boolean).join("\n"));
		return undefined;
	}
}

function refuseUnknown(option, wanted, known) {
	if (wanted !== undefined && !known.includes(wanted)) throw new Error(`${option}: there is no "${wanted}"`);
}

function describe({ title, ok, reason, milliseconds }) {
	const seconds = milliseconds === undefined ? "" : ` (${(milliseconds / 1000).toFixed(1)} s)`;
	return ok ? `  ok    ${title}${seconds}` : `  FAIL  ${title}${seconds}\n${indent(String(reason))}`;
}

function indent(text) {
	return text.replace(/^/gm, "          ");
}
