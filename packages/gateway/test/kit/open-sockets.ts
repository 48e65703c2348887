// Descriptors of this process that are sockets, as the kernel counts them.
import { readdirSync, readlinkSync } from "node:fs";

export function openSockets(): number {
	return readdirSync("/proc/self/fd").filter((fd) => linkOf(fd).startsWith("socket:")).length;
}

/** The descriptor of the listing itself is gone by now. */
function linkOf(fd: string): string {
	try {
		return readlinkSync(`/proc/self/fd/${fd}`);
	} catch {
		return "";
	}
}
