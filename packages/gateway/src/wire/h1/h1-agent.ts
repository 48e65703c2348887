import { Agent, type ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import type { Connect } from "../connect/connector.ts";

const ALPN = ["http/1.1"];

type Created = (error: Error | null, stream: Duplex) => void;

export interface H1AgentOptions {
	connect: Connect;
	/** Covers TCP, proxy and TLS. */
	timeoutMs: number;
	/** How long an unused connection is kept. */
	idleMs: number;
}

/** The persistent connections to one origin for one key, made by our connector instead of Node's. */
export class H1Agent extends Agent {
	readonly #origin: URL;
	readonly #options: H1AgentOptions;
	readonly #onEmpty: () => void;
	#connections = 0;

	/** `onEmpty` is called when the last connection has closed. */
	constructor(origin: URL, options: H1AgentOptions, onEmpty: () => void) {
		super({ keepAlive: true, timeout: options.idleMs });
		this.#origin = origin;
		this.#options = options;
		this.#onEmpty = onEmpty;
	}

	/** Connections that are open or being made. */
	get connections(): number {
		return this.#connections;
	}

	/** Closes connections that are not in use, now and from now on. `onGone` is called when none is left. */
	retire(onGone: () => void): void {
		// Node itself closes connections that become free from now on.
		(this as unknown as { keepAlive: boolean }).keepAlive = false;
		for (const socket of Object.values(this.freeSockets).flatMap((sockets) => sockets ?? [])) socket.destroy();
		const inUse = new Set(Object.values(this.sockets).flatMap((sockets) => sockets ?? []));
		if (inUse.size === 0) return onGone();
		for (const socket of inUse) {
			socket.once("close", () => {
				inUse.delete(socket);
				if (inUse.size === 0) onGone();
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
				// The type requires a stream, although Node ignores it after an error.
				created?.(error, undefined as unknown as Duplex);
			},
		);
	}

	#gone(): void {
		this.#connections--;
		if (this.#connections === 0) this.#onEmpty();
	}
}
