import { Agent, type ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import type { Connect } from "./connector.ts";

const ALPN = ["http/1.1"];

type Created = (error: Error | null, stream: Duplex) => void;

/** The kept-alive connections to one origin for one key, made by our connector instead of Node's. */
export class H1Agent extends Agent {
	readonly #origin: URL;
	readonly #connect: Connect;
	readonly #connectTimeoutMs: number;

	constructor(origin: URL, connect: Connect, connectTimeoutMs: number, idleMs: number) {
		super({ keepAlive: true, timeout: idleMs });
		this.#origin = origin;
		this.#connect = connect;
		this.#connectTimeoutMs = connectTimeoutMs;
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
		this.#connect(this.#origin, { alpn: ALPN, timeoutMs: this.#connectTimeoutMs }).then(
			(socket) => created?.(null, socket),
			// The type wants a stream although Node looks at it only without an error.
			(error: Error) => created?.(error, undefined as unknown as Duplex),
		);
	}
}
