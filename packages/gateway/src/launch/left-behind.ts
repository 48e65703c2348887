import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { depthBelow } from "./launch-mark.ts";

// A client that ends by itself decides what goes on without it. One that a signal ends has no chance to: the program
// behind a wrapper then works on for nobody. Such programs are looked for in /proc, which only Linux has.

/** How long a process may take to end in order. */
const GRACE_MS = 2_000;
/** The same for what has a launch in it, which asks for its cost and revokes its key when its own client has gone. */
const LAUNCH_GRACE_MS = 10_000;
/** What even SIGKILL does not end by then waits for a device, and nobody can help it. */
const LONGEST_MS = 30_000;
const LOOK_EVERY_MS = 25;
/** A process shows no variables at the moment in which it becomes another program, so one look proves nothing. */
const EMPTY_LOOKS = 2;

interface LeftBehind {
	pid: number;
	/** How many launches deep. */
	depth: number;
}

/**
 * Ends what goes on of a launch in this process's group, which is what Ctrl-C in a terminal reaches, and waits until it has
 * gone. What was given a group of its own, such as a browser or a daemon, is meant to go on.
 */
export async function endLeftBehind(mark: string, proc = "/proc"): Promise<void> {
	const group = ownGroup(proc);
	if (group === undefined) return;
	const until = performance.now() + LONGEST_MS;
	const asked = new Set<number>();
	const isOverdue = patience();
	for (let emptyLooks = 0; performance.now() < until; await pause(LOOK_EVERY_MS)) {
		const left = leftBehind(mark, group, proc);
		emptyLooks = left.length === 0 ? emptyLooks + 1 : 0;
		if (emptyLooks === EMPTY_LOOKS) return;
		for (const each of left) {
			if (!asked.has(each.pid)) signal(each.pid, "SIGTERM");
			asked.add(each.pid);
		}
		for (const { pid } of isOverdue(left)) signal(pid, "SIGKILL");
	}
}

/**
 * Those whose time is over. The innermost come first, and only when they have gone the time of the next ones begins, so
 * that a launch outlives its client and takes its own key and folder away.
 */
function patience(): (left: readonly LeftBehind[]) => LeftBehind[] {
	let depth = Number.POSITIVE_INFINITY;
	let until = 0;
	return (left) => {
		const innermost = Math.max(0, ...left.map((each) => each.depth));
		const now = performance.now();
		if (innermost > 0 && innermost < depth) {
			until = now + (depth === Number.POSITIVE_INFINITY ? GRACE_MS : LAUNCH_GRACE_MS);
			depth = innermost;
		}
		return now < until ? [] : left.filter((each) => each.depth === innermost);
	};
}

function leftBehind(mark: string, group: string, proc: string): LeftBehind[] {
	return processes(proc).flatMap((pid) => {
		if (pid === process.pid || statusOf(proc, pid)?.group !== group) return [];
		const depth = depthBelow(mark, read(`${proc}/${pid}/environ`).split("\0"));
		return depth === undefined ? [] : [{ pid, depth }];
	});
}

/** Undefined where there is no /proc, or it is that of another container, whose numbers mean other processes. */
function ownGroup(proc: string): string | undefined {
	const self = statusOf(proc, "self");
	return self?.pid === String(process.pid) ? self.group : undefined;
}

function statusOf(proc: string, pid: number | "self"): { pid?: string; group?: string } | undefined {
	const status = read(`${proc}/${pid}/stat`);
	if (status === "") return undefined;
	// The name in parentheses may contain anything, so what stands behind it is counted from its end.
	const [, , group] = status.slice(status.lastIndexOf(")") + 2).split(" ");
	return { pid: status.split(" ", 1)[0], group };
}

function processes(proc: string): number[] {
	try {
		return readdirSync(proc).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
	} catch {
		return [];
	}
}

/** Empty for a process that has gone, and for what belongs to another user. */
function read(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}

function signal(pid: number, name: NodeJS.Signals): void {
	try {
		process.kill(pid, name);
	} catch {
		// It has gone meanwhile.
	}
}
