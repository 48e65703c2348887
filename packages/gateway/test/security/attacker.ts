// A server on this machine that nobody should ever talk to, or that plays the part of a web site.
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface Attacker {
	port: number;
	/** Connections that were made to it. */
	connections(): number;
	close(): void;
}

export async function startAttacker(
	answer: RequestListener = (_request, response) => response.end("got you"),
): Promise<Attacker> {
	let connections = 0;
	const server = createServer(answer);
	server.on("connection", () => connections++);
	server.listen(0, "::");
	await once(server, "listening");
	return {
		port: (server.address() as AddressInfo).port,
		connections: () => connections,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}
