// Nobody whom an agent started may outlive its test: its own group is ended, and a daemon that left the group is found.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Groups that are open, by the id of their first process. */
export const groups = new Set<number>();

// A run that is broken off leaves nobody behind either.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
	process.once(signal, () => {
		for (const group of groups) endGroup(group);
		process.kill(process.pid, signal);
	});
}

export function endGroup(group: number): void {
	if (groups.delete(group)) kill(-group);
}

/** A variable that an agent hands on to whomever it starts, in whatever group. */
export const MARK = "CURSORWIRE_TEST_AGENT";

/** Fails, after ending them, when processes with this mark go on. Only where there is a /proc to look at. */
export async function expectNobodyLeft(mark: string): Promise<void> {
	// The group was ended just now, and the system takes a moment to do it.
	for (let look = 0; look < LOOKS; look++) {
		if (processesOf(mark).length === 0) return;
		await pause(LOOK_EVERY_MS);
	}
	const left = processesOf(mark);
	for (const { pid } of left) kill(pid);
	if (left.length > 0) throw new Error(`left running: ${left.map(({ command }) => command).join("; ")}`);
}

const LOOKS = 40;
const LOOK_EVERY_MS = 50;

function processesOf(mark: string): { pid: number; command: string }[] {
	if (!existsSync("/proc/self/environ")) return [];
	return readdirSync("/proc").flatMap((name) => {
		if (!/^\d+$/.test(name) || !contentOf(`/proc/${name}/environ`).includes(`${MARK}=${mark}\0`)) return [];
		return [{ pid: Number(name), command: contentOf(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim() }];
	});
}

/** Empty for a process that is gone, or another user's. */
function contentOf(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}

function kill(target: number): void {
	try {
		process.kill(target, "SIGKILL");
	} catch {
		// Gone already.
	}
}
