import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from "node:http";
import {
	createServer as createHttp2Server,
	type Http2ServerRequest,
	type Http2ServerResponse,
	type Http2Session,
} from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { Certificate } from "./certificate.ts";
import { runsOver } from "./drop-connection.ts";

export type RawRequest = IncomingMessage | Http2ServerRequest;
export type RawResponse = ServerResponse | Http2ServerResponse;

export interface ListenOptions {
	host: string;
	port: number;
	tls?: Certificate & { alpn: string[] };
	onRequest(request: RawRequest, response: RawResponse): void;
	/** Returns false to close the connection at once. */
	onConnection(socket: Socket): boolean;
	/** Called when it is known which protocol a connection speaks. */
	onProtocol(protocol: "http1" | "h2"): void;
}

export interface Listener {
	url: string;
	port: number;
	openConnections(): number;
	close(): Promise<void>;
}

const H2_PREFACE = Buffer.from("PRI * HTTP/2.0\r\n");

/** HTTP/1.1 and HTTP/2 on one port, told apart by the client's preface, or by ALPN with TLS. */
export async function listen(options: ListenOptions): Promise<Listener> {
	const sockets = new Set<Socket>();
	const sessions = new Set<Http2Session>();
	const http1 = createHttp1Server(
		// A run may stay open for hours. Deadlines are up to the clients.
		{ requestTimeout: 0, keepAliveTimeout: 65_000, headersTimeout: 10_000 },
		options.onRequest,
	);
	const http2 = createHttp2Server(
		{
			settings: { maxConcurrentStreams: 10_000, initialWindowSize: 1 << 20 },
			// With Node's default of 10 MB, a few hundred slow readers make it refuse streams with ENHANCE_YOUR_CALM.
			maxSessionMemory: 1_000,
		},
		options.onRequest,
	);
	http2.on("session", (session) => {
		sessions.add(session);
		session.setLocalWindowSize?.(16 << 20);
		session.on("close", () => sessions.delete(session));
		session.on("error", () => session.destroy());
	});

	const hand = (socket: Socket, protocol: "http1" | "h2") => {
		options.onProtocol(protocol);
		(protocol === "h2" ? http2 : http1).emit("connection", socket);
	};
	const accept = (socket: Socket): boolean => {
		sockets.add(socket);
		socket.on("close", () => sockets.delete(socket));
		socket.on("error", () => socket.destroy());
		socket.setNoDelay(true);
		if (options.onConnection(socket)) return true;
		socket.destroy();
		return false;
	};

	const server: Server = options.tls
		? tlsServer(options.tls, (socket) => accept(socket) && hand(socket, socket.alpnProtocol === "h2" ? "h2" : "http1"))
		: createTcpServer((socket) => {
				if (accept(socket)) sniffPreface(socket, (protocol) => hand(socket, protocol));
			});

	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(options.port, options.host, () => {
			server.off("error", reject);
			// An error here is one connection that could not be accepted, for example for lack of file handles.
			server.on("error", () => {});
			resolve();
		});
	});
	const { port } = server.address() as AddressInfo;
	const host = options.host.includes(":") ? `[${options.host}]` : options.host;
	return {
		port,
		url: `${options.tls ? "https" : "http"}://${host}:${port}`,
		openConnections: () => sockets.size,
		async close() {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			for (const session of sessions) session.destroy();
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}

function tlsServer(
	{ cert, key, alpn }: NonNullable<ListenOptions["tls"]>,
	accept: (socket: TLSSocket) => void,
): Server {
	const pending = new Map<number | undefined, Socket>();
	const server = createTlsServer({ cert, key, ALPNProtocols: alpn }, (socket) => {
		const tcp = pending.get(socket.remotePort);
		if (tcp) runsOver(socket, tcp);
		accept(socket);
	});
	server.on("connection", (tcp: Socket) => {
		const { remotePort } = tcp;
		pending.set(remotePort, tcp);
		tcp.on("close", () => pending.get(remotePort) === tcp && pending.delete(remotePort));
	});
	server.on("tlsClientError", () => {});
	return server;
}

/** Reads the first bytes to tell HTTP/2 with prior knowledge from HTTP/1.1, and puts them back. */
function sniffPreface(socket: Socket, decided: (protocol: "http1" | "h2") => void): void {
	let seen = Buffer.alloc(0);
	const onData = (chunk: Buffer) => {
		seen = Buffer.concat([seen, chunk]);
		const compared = Math.min(seen.length, H2_PREFACE.length);
		const matches = seen.subarray(0, compared).equals(H2_PREFACE.subarray(0, compared));
		if (matches && compared < H2_PREFACE.length) return;
		socket.off("data", onData);
		socket.pause();
		socket.unshift(seen);
		decided(matches ? "h2" : "http1");
		process.nextTick(() => socket.resume());
	};
	socket.on("data", onData);
}
