// One driver process: the SDK under test, in a separate Node process with its own home and working folder.
import { fileURLToPath } from "node:url";
import { tail } from "./emulator-process.mjs";
import { startProcess, stopProcess } from "./processes.mjs";

const DRIVER = fileURLToPath(new URL("../driver.mjs", import.meta.url));

// Only for a driver that hangs completely. Each case has a limit of its own, see matrix-cell.mjs.
const SILENCE_LIMIT_MS = 180_000;

/**
 * @typedef {{ name: string, title: string, ok: boolean, reason?: string, milliseconds?: number }} Outcome
 * @param {import("./fetch-sdk.mjs").NodeBinary} node
 * @param {NodeJS.ProcessEnv} env
 * @param {object} job what the driver has to do, see driver.mjs
 * @param {(outcome: { name: string, ok: boolean, timedOut?: boolean, reason?: string, value?: unknown, milliseconds: number }) => void} onOutcome
 * @returns {Promise<string | undefined>} what went wrong with the process itself
 */
export async function runDriver(node, env, job, onOutcome) {
	const child = startProcess(node.path, [DRIVER], {
		cwd: job.workspace,
		env,
		stdio: ["ignore", "pipe", "pipe", "ipc"],
	});
	child.stdout.resume();
	const errors = tail(child.stderr);

	let silence;
	let hung = false;
	const listen = () => {
		clearTimeout(silence);
		silence = setTimeout(() => {
			hung = true;
			stopProcess(child);
		}, SILENCE_LIMIT_MS);
	};
	const ended = new Promise((resolve) => {
		child.once("error", (error) => resolve(`the driver could not be started: ${error.message}`));
		child.once("close", (code, signal) => {
			if (hung) resolve(`the driver said nothing for ${SILENCE_LIMIT_MS / 1000} s`);
			else if (code !== 0)
				resolve(`the driver process ended with ${signal ?? `exit code ${code}`}\n${errors()}`.trim());
			else resolve(undefined);
		});
	});
	child.on("message", (outcome) => {
		listen();
		onOutcome(outcome);
	});
	listen();
	child.send(job, () => {});
	const fault = await ended;
	clearTimeout(silence);
	return fault;
}
