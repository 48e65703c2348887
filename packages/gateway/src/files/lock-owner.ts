import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { isAlive } from "./process-alive.ts";

/** Who holds a lock. */
export interface LockOwner {
	pid: number;
	/** The start time of the process in units of the system: distinguishes it from a later process with the same pid. */
	started?: string;
	host: string;
	/** Distinguishes two uses of the lock by one process. */
	nonce: string;
}

/** A holder works for about twenty seconds at most. If nothing else is known, an older lock counts as abandoned. */
const MAX_HOLD_MS = 60_000;
/** The owner is written microseconds after the file is created. An older file without one is abandoned. */
const MAX_UNWRITTEN_MS = 5_000;

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

/** Whether the holder can no longer release the lock. */
export function isAbandoned(owner: LockOwner | undefined, ageMs: number): boolean {
	if (owner === undefined) return ageMs > MAX_UNWRITTEN_MS;
	// A container or another machine that shares the folder: its process ids mean nothing here.
	if (owner.host !== hostname()) return ageMs > MAX_HOLD_MS;
	if (!isAlive(owner.pid)) return true;
	const started = startOf(owner.pid);
	if (started === undefined || owner.started === undefined) return ageMs > MAX_HOLD_MS;
	return started !== owner.started;
}

/** Undefined on systems other than Linux, which do not provide it without starting a program. */
function startOf(pid: number): string | undefined {
	try {
		const status = readFileSync(`/proc/${pid}/stat`, "utf8");
		// The name in parentheses may contain anything, so fields are counted after it. The start time is field 22 of all.
		return status.slice(status.lastIndexOf(")") + 2).split(" ")[19];
	} catch {
		return undefined;
	}
}
