import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

// A process shows that it runs by listening at an address of its own. The system takes the address back when the process
// ends, however it ends, so nobody has to guess by the number of a process, which another one may have by then.

/** Longer names of sockets are refused by some systems. */
const LONGEST_SOCKET = 100;
/** What needs longer to accept a connection on this machine is there. */
const LONGEST_WAIT_MS = 2_000;

/** An address for a process that owns this folder. */
export function aliveAddress(folder: string, name: string, platform: NodeJS.Platform = process.platform): string {
	if (platform === "win32") return `\\\\.\\pipe\\cursorwire-launch-${name}`;
	const inside = join(folder, "alive");
	return Buffer.byteLength(inside) <= LONGEST_SOCKET ? inside : join(tmpdir(), `cursorwire-launch-${name}`);
}

/** Shows that this process is alive until it ends or `close` is called. It is not kept alive by that. */
export function showAlive(address: string): Promise<Server> {
	const server = createServer((socket) => socket.destroy()).unref();
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(address, () => resolve(server));
	});
}

/** Whether somebody shows that it is alive. In doubt, somebody does. */
export function isShownAlive(address: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(address);
		const end = (alive: boolean) => {
			socket.destroy();
			resolve(alive);
		};
		socket.setTimeout(LONGEST_WAIT_MS, () => end(true));
		socket.once("connect", () => end(true));
		socket.once("error", ({ code }: NodeJS.ErrnoException) => end(code !== "ENOENT" && code !== "ECONNREFUSED"));
	});
}
