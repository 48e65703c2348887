// Every process of the benchmark: started here, measured through /proc, stopped by its id, even after an interruption.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const TICKS_PER_SECOND = 100;
const running = new Set();

/** Adds a child to those that are stopped with the benchmark. */
export function adopt(child) {
	running.add(child);
	child.once("exit", () => running.delete(child));
	return child;
}

/** Starts a script of this folder with an IPC channel. Resolves with its first message. */
export async function startScript(name, environment = {}, args = [], nodeOptions = ["--expose-gc"]) {
	const file = fileURLToPath(new URL(name, import.meta.url));
	const child = adopt(
		fork(file, args, {
			env: { ...process.env, ...environment },
			execArgv: nodeOptions,
			stdio: ["ignore", "inherit", "inherit", "ipc"],
		}),
	);
	return { child, first: await message(child) };
}

/** The next IPC message of a child. Rejects if the child ends first. */
export function message(child) {
	return new Promise((resolve, reject) => {
		const onExit = (code, signal) => reject(new Error(`${child.spawnargs.at(-1)} ended: ${signal ?? code}`));
		child.once("exit", onExit);
		child.once("message", (received) => {
			child.off("exit", onExit);
			resolve(received);
		});
	});
}

/** Starts Node and keeps its stderr, to report a failed start. */
export function startCommand(args, environment, ipc = false) {
	const stdio = ["ignore", "ignore", "pipe", ...(ipc ? ["ipc"] : [])];
	return keepErrors(spawn(process.execPath, args, { env: environment, stdio }));
}

/** Starts a command line in a process group of its own, which is stopped as a whole. */
export function startShell(command, environment, cwd) {
	const stdio = ["ignore", "ignore", "pipe"];
	const child = spawn("/bin/sh", ["-c", command], { env: environment, stdio, cwd, detached: true });
	return Object.assign(keepErrors(child), { isGroup: true });
}

function keepErrors(child) {
	adopt(child);
	child.errors = "";
	child.stderr.on("data", (chunk) => {
		child.errors = (child.errors + chunk).slice(-2000);
	});
	return child;
}

/** Waits until something listens on the port. Resolves with the milliseconds that this took. */
export async function listening(child, port, limit = 20_000) {
	const started = performance.now();
	while (performance.now() - started < limit) {
		if (child.exitCode !== null) throw new Error(`it ended: ${child.errors}`);
		const socket = connect(port, "127.0.0.1");
		const open = await once(socket, "connect").then(
			() => true,
			() => false,
		);
		socket.destroy();
		if (open) return performance.now() - started;
		await sleep(5);
	}
	throw new Error(`nothing listens on port ${port}: ${child.errors}`);
}

export const hasEnded = (child) => child.exitCode !== null || child.signalCode !== null;

function signal(child, name) {
	if (!child.isGroup) return child.kill(name);
	try {
		process.kill(-child.pid, name);
	} catch {
		// All processes of the group have ended.
	}
}

export async function stop(child) {
	if (hasEnded(child)) return;
	const ended = once(child, "exit");
	signal(child, "SIGTERM");
	const kill = setTimeout(() => signal(child, "SIGKILL"), 5000);
	await ended;
	clearTimeout(kill);
	// A shell may end before the program that it has started.
	if (child.isGroup) signal(child, "SIGKILL");
}

export const stopAll = () => Promise.all([...running].map(stop));

process.on("exit", () => {
	for (const child of running) signal(child, "SIGKILL");
});
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));

/** The fields of /proc/<pid>/stat behind the name of the process: state, parent, and so on. */
function statOf(pid) {
	const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
	return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** User and system time of a process with all its threads, in seconds. */
export function cpuSeconds(pid) {
	const fields = statOf(pid);
	return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export function rssKilobytes(pid) {
	return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0);
}

/** A process and all that it has started, as far as they still run. Throws if the process itself has ended. */
export function family(pid) {
	const children = new Map();
	for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
		try {
			const parent = Number(statOf(name)[1]);
			children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
		} catch {
			// It has just ended.
		}
	}
	statOf(pid);
	const below = (one) => [one, ...(children.get(one) ?? []).flatMap(below)];
	return below(pid);
}

/** A participant that was started by a command line may be several processes. */
const processesOf = ({ child, pid }) => (child?.isGroup ? family(pid) : [pid]);
const sumOf = (participant, figure) => processesOf(participant).reduce((sum, pid) => sum + figure(pid), 0);

export const cpuOf = (participant) => sumOf(participant, cpuSeconds);
export const rssOf = (participant) => sumOf(participant, rssKilobytes);

/** Busy time of all cores of the machine, in seconds. */
export function machineBusySeconds() {
	const [, user, nice, system, , , irq, softirq, steal] = readFileSync("/proc/stat", "latin1")
		.split("\n", 1)[0]
		.split(/\s+/)
		.map(Number);
	return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND;
}
