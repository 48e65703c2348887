// What the system says about a running gateway.
import { readdirSync, readFileSync } from "node:fs";

/** Memory of a process that is in use, in MB. */
export function residentMegabytes(pid: number): number {
	const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
	return Number(kilobytes) / 1000;
}

export function openDescriptors(pid: number): number {
	return readdirSync(`/proc/${pid}/fd`).length;
}
