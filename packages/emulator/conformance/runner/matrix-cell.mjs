// One SDK version over one transport: an emulator, a driver process that prepares, and a second one that runs the cases.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { cases as allCases, titleOf } from "../cases/index.mjs";
import { runDriver } from "./driver-process.mjs";
import { startEmulator } from "./emulator-process.mjs";
import { makeTemporaryFolder, removeTemporaryFolder } from "./temporary-folders.mjs";

/** For cases that never end. No case fails because it is slow. */
const CASE_LIMIT_MS = 120_000;

/** After this many cases without an end, the others are not expected to end either, and are not run. */
const TIMEOUTS_ALLOWED = 3;

/**
 * @param {{ version: string, transport: string, sdkFolder: string, node: import("./fetch-sdk.mjs").NodeBinary, cases: string[], caseLimitMs?: number }} cell
 * @param {(outcome: import("./driver-process.mjs").Outcome) => void} report
 */
export async function runMatrixCell(cell, report) {
	const names = new Set(cell.cases);
	const open = new Map(allCases.filter(({ name }) => names.has(name)).map((each) => [each.name, each]));
	const settle = (name, outcome) => {
		const each = open.get(name);
		if (each === undefined) return;
		open.delete(name);
		report({ name, title: titleOf(each, cell.version), ...outcome });
	};
	const failAllOpen = (reason) => {
		for (const name of [...open.keys()]) settle(name, { ok: false, reason });
	};

	const folder = await makeTemporaryFolder();
	let emulator;
	try {
		emulator = await startEmulator(cell.transport);
		const job = await driverJob(cell, emulator.url, folder);
		const env = driverEnvironment(emulator.url, job.home);
		let timeoutsLeft = TIMEOUTS_ALLOWED;
		const drive = (phase, names, prepared, onOutcome) =>
			runDriver(cell.node, env, { ...job, phase, cases: names, prepared, timeoutsLeft }, (outcome) => {
				if (outcome.timedOut) timeoutsLeft--;
				onOutcome(outcome);
			});

		const prepared = {};
		const needPreparing = [...open.values()].filter(({ prepare }) => prepare).map(({ name }) => name);
		if (needPreparing.length > 0) {
			const fault = await drive("prepare", needPreparing, {}, ({ name, ok, reason, value }) => {
				if (ok) prepared[name] = value;
				else settle(name, { ok, reason: `first process: ${reason}` });
			});
			for (const name of needPreparing) {
				if (!(name in prepared)) settle(name, { ok: false, reason: fault ?? notRun(timeoutsLeft) });
			}
		}

		if (timeoutsLeft === 0) failAllOpen(notRun(timeoutsLeft));
		if (open.size > 0) {
			const fault = await drive("run", [...open.keys()], prepared, ({ name, ok, reason, milliseconds }) => {
				settle(name, { ok, reason, milliseconds });
			});
			failAllOpen(fault ?? notRun(timeoutsLeft));
		}
	} catch (error) {
		failAllOpen(error.message);
	} finally {
		await emulator?.stop();
		await removeTemporaryFolder(folder);
	}
	return { emulatorSaid: emulator?.errors() ?? "" };
}

function notRun(timeoutsLeft) {
	return timeoutsLeft === 0
		? `not run: ${TIMEOUTS_ALLOWED} cases over this transport did not end`
		: "the driver did not report this case";
}

async function driverJob({ version, transport, sdkFolder, caseLimitMs = CASE_LIMIT_MS }, url, folder) {
	const job = { version, transport, sdkFolder, url, caseLimitMs };
	for (const name of ["home", "workspace", "store"]) {
		job[name] = join(folder, name);
		await mkdir(job[name]);
	}
	return job;
}

/** An empty environment, so that the developer's own settings for Cursor do not reach the SDK under test. */
function driverEnvironment(url, home) {
	const inherited = ["PATH", "SHELL", "LANG", "TMPDIR", "SystemRoot", "ComSpec"];
	const variables = {
		...Object.fromEntries(inherited.filter((name) => process.env[name]).map((name) => [name, process.env[name]])),
		HOME: home,
		USERPROFILE: home,
		TZ: "UTC",
		NODE_NO_WARNINGS: "1",
		NO_OPEN_BROWSER: "1",
		CURSOR_BACKEND_URL: url,
		CURSOR_WEBSITE_URL: url,
	};
	// The SDK sets this on loopback itself, but only after its first request has failed.
	if (url.startsWith("https:")) variables.NODE_TLS_REJECT_UNAUTHORIZED = "0";
	return variables;
}
