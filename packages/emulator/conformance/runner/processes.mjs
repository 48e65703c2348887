// The processes that this run has started. Each is ended through its own handle, never by name.
import { spawn } from "node:child_process";
import { once } from "node:events";

const GRACE_MS = 5_000;

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
let closing = false;

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
export function startProcess(command, args, options) {
	if (closing) throw new Error("the run is being stopped");
	const child = spawn(command, args, options);
	running.add(child);
	child.once("close", () => running.delete(child));
	child.once("error", () => running.delete(child));
	return child;
}

/** @param {import("node:child_process").ChildProcess} child */
export async function stopProcess(child) {
	if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
	const closed = once(child, "close");
	child.kill("SIGTERM");
	const insist = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
	await closed;
	clearTimeout(insist);
}

/** Ends all processes at the end of the run, or when it is interrupted. Nothing can be started afterwards. */
export async function stopAllProcesses() {
	closing = true;
	await Promise.all([...running].map(stopProcess));
}
