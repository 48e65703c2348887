import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { isAlive } from "./process-alive.ts";

/** Who holds a lock. */
export interface LockOwner {
	pid: number;
	/** When the process started, as the system counts it: tells it from a later one with the same number. */
	started?: string;
	host: string;
	/** Tells two holds of one process apart. */
	nonce: string;
}

/** A holder works for some twenty seconds at most; beyond this it is gone, where nothing better is known. */
const SURELY_OVER_MS = 60_000;
/** Between making a lock file and writing its owner lie microseconds. */
const UNWRITTEN_MS = 5_000;

export function thisProcess(nonce: string): LockOwner {
	return { pid: process.pid, started: startOf(process.pid), host: hostname(), nonce };
}

export function readOwner(text: string): LockOwner | undefined {
	try {
		const owner = JSON.parse(text) as LockOwner | null;
		return Number.isInteger(owner?.pid) && typeof owner?.nonce === "string" ? owner : undefined;
	} catch {
		return undefined;
	}
}

/** Whether nobody will ever give this lock back. */
export function isAbandoned(owner: LockOwner | undefined, ageMs: number): boolean {
	if (owner === undefined) return ageMs > UNWRITTEN_MS;
	// A container or another machine on a shared folder: its process numbers mean nothing here.
	if (owner.host !== hostname()) return ageMs > SURELY_OVER_MS;
	if (!isAlive(owner.pid)) return true;
	const started = startOf(owner.pid);
	if (started === undefined || owner.started === undefined) return ageMs > SURELY_OVER_MS;
	return started !== owner.started;
}

/** Only Linux tells it without starting a program. */
function startOf(pid: number): string | undefined {
	try {
		const status = readFileSync(`/proc/${pid}/stat`, "utf8");
		// The name in parentheses may hold anything, so fields are counted from behind it; the start is the 22nd of all.
		return status.slice(status.lastIndexOf(")") + 2).split(" ")[19];
	} catch {
		return undefined;
	}
}
