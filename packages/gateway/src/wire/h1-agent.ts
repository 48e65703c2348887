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

	override createConnection(_options: ClientRequestArgs, created?: Created): undefined {
		this.#connect(this.#origin, { alpn: ALPN, timeoutMs: this.#connectTimeoutMs }).then(
			(socket) => created?.(null, socket),
			// The type wants a stream although Node looks at it only without an error.
			(error: Error) => created?.(error, undefined as unknown as Duplex),
		);
	}
}
