// A small HTTP CONNECT proxy that records what it was asked for.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { TestCertificate } from "./tls.ts";

export interface ConnectProxyOptions {
	/** Answer every CONNECT with this status instead of connecting. */
	refuseWith?: number;
	/** Accept connections and never answer. */
	isSilent?: boolean;
	/** Send the answer in one write with the first bytes of the target. */
	holdAnswerForData?: boolean;
	/** Speak TLS to the client. */
	certificate?: TestCertificate;
	/** Where to really connect, whatever the client names: lets a test use names that do not resolve. */
	target?: URL;
}

export interface RecordedTunnel {
	target: string;
	headers: IncomingHttpHeaders;
}

export class ConnectProxy {
	readonly url: URL;
	readonly tunnels: RecordedTunnel[] = [];
	readonly #server: Server;
	readonly #options: ConnectProxyOptions;
	readonly #sockets = new Set<Socket>();

	static async listen(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
		const { certificate } = options;
		const server = certificate === undefined ? createServer() : createTlsServer(certificate);
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		return new ConnectProxy(server, options);
	}

	private constructor(server: Server, options: ConnectProxyOptions) {
		this.#server = server;
		this.#options = options;
		const scheme = options.certificate === undefined ? "http" : "https";
		this.url = new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
		server.on("connection", (socket: Socket) => this.#track(socket));
		server.on("connect", (request, client: Socket) => this.#serve(request, client));
	}

	async close(): Promise<void> {
		this.#server.close();
		for (const socket of this.#sockets) socket.destroy();
		if (this.#server.listening) await once(this.#server, "close");
	}

	#serve(request: IncomingMessage, client: Socket): void {
		const { refuseWith, isSilent } = this.#options;
		this.tunnels.push({ target: request.url ?? "", headers: request.headers });
		client.on("error", () => {});
		if (isSilent) return;
		if (refuseWith !== undefined) {
			client.end(`HTTP/1.1 ${refuseWith} No\r\ncontent-length: 6\r\n\r\nsorry\n`);
			return;
		}
		this.#join(client, this.#options.target ?? new URL(`http://${request.url}`));
	}

	#join(client: Socket, target: URL): void {
		const upstream = connect(Number(target.port || 80), target.hostname);
		this.#track(upstream);
		upstream.on("close", () => client.destroy());
		client.on("close", () => upstream.destroy());
		const answer = Buffer.from("HTTP/1.1 200 Connection established\r\n\r\n");
		const splice = () => {
			upstream.pipe(client);
			client.pipe(upstream);
		};
		if (this.#options.holdAnswerForData) {
			upstream.once("data", (first: Buffer) => {
				client.write(Buffer.concat([answer, first]));
				splice();
			});
		} else {
			upstream.once("connect", () => {
				client.write(answer);
				splice();
			});
		}
	}

	#track(socket: Socket): void {
		socket.on("error", () => {});
		this.#sockets.add(socket);
		socket.on("close", () => this.#sockets.delete(socket));
	}
}
