// A proxy that opens TLS to look inside, as company networks have: its own certificate, and no HTTP/2 in ALPN.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { connect, TLSSocket } from "node:tls";
import type { TestCertificate } from "./tls.ts";

export interface InspectingProxy {
	url: string;
	/** Hosts that clients asked for. */
	targets: string[];
	/** What the clients could agree on: always HTTP/1.1. */
	protocols: string[];
	close(): Promise<void>;
}

/** Whatever the client names, it is connected to `target`, whose certificate `targetCa` vouches for. */
export async function startInspectingProxy(
	certificate: TestCertificate,
	target: URL,
	targetCa: string,
): Promise<InspectingProxy> {
	const targets: string[] = [];
	const protocols: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((_request, response) => response.writeHead(405).end());
	server.on("connect", (request: IncomingMessage, socket: Socket) => {
		targets.push(request.url ?? "");
		sockets.add(socket);
		socket.on("error", () => {});
		socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
		const inside = new TLSSocket(socket, { isServer: true, ...certificate, ALPNProtocols: ["http/1.1"] });
		inside.on("error", () => socket.destroy());
		inside.once("secure", () => protocols.push(String(inside.alpnProtocol)));
		const outside = connect({
			host: target.hostname,
			port: Number(target.port),
			servername: "localhost",
			ca: targetCa,
			ALPNProtocols: ["http/1.1"],
		});
		outside.on("error", () => socket.destroy());
		outside.on("close", () => socket.destroy());
		inside.on("close", () => outside.destroy());
		inside.pipe(outside).pipe(inside);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		targets,
		protocols,
		close: () =>
			new Promise((resolve) => {
				for (const socket of sockets) socket.destroy();
				server.close(() => resolve());
			}),
	};
}
