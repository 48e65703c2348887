import type { IncomingMessage, Server } from "node:http";
import { asksForWebSocket } from "./handshake.ts";

type Socket = IncomingMessage["socket"];

/**
 * Sorts out which requests go on as a WebSocket. Node hands over every request with an Upgrade header as soon as anybody
 * takes upgrades, and reads nothing more of it. Those that ask for something else (libraries offer HTTP/2 this way) are
 * ordinary requests, so their connection is read anew, without the header.
 */
export class Upgrades {
	readonly #isTaken: (request: IncomingMessage) => boolean;
	readonly #again = new WeakSet<Socket>();

	/** `isTaken`: whether the path of a request has a WebSocket. */
	constructor(isTaken: (request: IncomingMessage) => boolean) {
		this.#isTaken = isTaken;
	}

	/** Whether a connection comes a second time, because it is read anew. */
	isAgain(socket: Socket): boolean {
		return this.#again.has(socket);
	}

	take(server: Server, begin: (request: IncomingMessage, socket: Socket, first: Buffer) => void): void {
		server.on("upgrade", (request, stream, first) => {
			const socket = stream as Socket;
			if (asksForWebSocket(request) && this.#isTaken(request)) return begin(request, socket, first);
			this.#again.add(socket);
			socket.unshift(Buffer.concat([headWithoutUpgrade(request), first]));
			server.emit("connection", socket);
		});
	}
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
	const lines = [`${method} ${url} HTTP/${httpVersion}`];
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]!;
		const value = rawHeaders[index + 1]!;
		if (/^(upgrade|http2-settings)$/i.test(name)) continue;
		lines.push(`${name}: ${/^connection$/i.test(name) ? withoutUpgrade(value) : value}`);
	}
	return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

function withoutUpgrade(connection: string): string {
	const names = connection.split(",").filter((name) => !/^\s*(upgrade|http2-settings)\s*$/i.test(name));
	return names.join(",").trim() || "keep-alive";
}
