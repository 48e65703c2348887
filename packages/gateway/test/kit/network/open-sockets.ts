// TCP sockets of this process, as the kernel counts them. What else is a socket, such as a way to the keychain of the
// system, is opened once and stays.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const INODE_COLUMN = 9;

export function openSockets(): number {
	const tcp = new Set(["tcp", "tcp6"].flatMap(inodes));
	return readdirSync("/proc/self/fd").filter((fd) => tcp.has(inodeOf(fd))).length;
}

function inodes(protocol: string): string[] {
	const [, ...lines] = readFileSync(`/proc/self/net/${protocol}`, "utf8").trim().split("\n");
	return lines.map((line) => line.trim().split(/\s+/)[INODE_COLUMN] ?? "");
}

function inodeOf(fd: string): string {
	try {
		return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? "";
	} catch {
		// The descriptor of the listing itself is gone by now.
		return "";
	}
}
