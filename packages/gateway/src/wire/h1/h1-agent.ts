import { Agent, type ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import type { Connect } from "../connect/connector.ts";

const ALPN = ["http/1.1"];

type Created = (error: Error | null, stream: Duplex) => void;

export interface H1AgentOptions {
	connect: Connect;
	/** For TCP, proxy and TLS together. */
	timeoutMs: number;
	/** How long an unused connection is kept. */
	idleMs: number;
}

/** The kept-alive connections to one origin for one key, made by our connector instead of Node's. */
export class H1Agent extends Agent {
	readonly #origin: URL;
	readonly #options: H1AgentOptions;
	readonly #emptied: () => void;
	#connections = 0;

	/** `emptied` is told when the last connection has closed. */
	constructor(origin: URL, options: H1AgentOptions, emptied: () => void) {
		super({ keepAlive: true, timeout: options.idleMs });
		this.#origin = origin;
		this.#options = options;
		this.#emptied = emptied;
	}

	/** Those that are there or in the making. */
	get connections(): number {
		return this.#connections;
	}

	/** Keeps no connection that is not in use, now and later. `isGone` is called when there is none left. */
	retire(isGone: () => void): void {
		// What becomes free from now on is closed by Node itself.
		(this as unknown as { keepAlive: boolean }).keepAlive = false;
		for (const socket of Object.values(this.freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy();
		const inUse = new Set(Object.values(this.sockets).flatMap((sockets) => sockets ?? []));
		if (inUse.size === 0) return isGone();
		for (const socket of inUse) {
			socket.once("close", () => {
				inUse.delete(socket);
				if (inUse.size === 0) isGone();
			});
		}
	}

	override createConnection(_options: ClientRequestArgs, created?: Created): undefined {
		const { connect, timeoutMs } = this.#options;
		this.#connections++;
		connect(this.#origin, { alpn: ALPN, timeoutMs }).then(
			(socket) => {
				socket.once("close", () => this.#gone());
				created?.(null, socket);
			},
			(error: Error) => {
				this.#gone();
				// The type wants a stream although Node looks at it only without an error.
				created?.(error, undefined as unknown as Duplex);
			},
		);
	}

	#gone(): void {
		this.#connections--;
		if (this.#connections === 0) this.#emptied();
	}
}
