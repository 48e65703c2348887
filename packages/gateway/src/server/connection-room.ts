import type { IncomingMessage } from "node:http";
import type { Clock } from "../time/clock.ts";

type Socket = IncomingMessage["socket"];

export interface ConnectionRoomOptions {
	clock: Clock;
	/** How many connections may be open at once. */
	limit: number;
	/** How many more get an error as their response; further ones are closed at once. */
	surplus: number;
}

/** How long a new connection has to send the headers of a request before it counts as idle. */
const FRESH_MS = 1_000;
/** How long a connection without room has to send a request, to get the error as its response. */
const SURPLUS_MS = 1_000;

/**
 * Limits the number of connections. If there is no room for another one, the one that has been idle for longest is
 * closed: its client just opens a new one, whereas a client that finds no room cannot get in at all.
 */
export class ConnectionRoom {
	readonly #options: ConnectionRoomOptions;
	readonly #taken = new Set<Socket>();
	readonly #surplus = new Set<Socket>();
	/** Connections without a request in progress, the one that has been idle for longest first. */
	readonly #idle = new Map<Socket, { evictableFrom: number }>();

	constructor(options: ConnectionRoomOptions) {
		this.#options = options;
	}

	enter(socket: Socket): void {
		const { clock, limit, surplus } = this.#options;
		socket.once("close", () => this.#leave(socket));
		if (this.#taken.size < limit || this.#makeRoom()) {
			this.#taken.add(socket);
			this.#idle.set(socket, { evictableFrom: clock.now() + FRESH_MS });
			return;
		}
		if (this.#surplus.size >= surplus) return void socket.destroy();
		this.#surplus.add(socket);
		clock.after(SURPLUS_MS, () => socket.destroy());
	}

	/** Whether there was no room for the connection. Its request only gets an error that says so. */
	isSurplus(socket: Socket): boolean {
		return this.#surplus.has(socket);
	}

	/** A request has begun on the connection. */
	busy(socket: Socket): void {
		this.#idle.delete(socket);
	}

	/** All requests of the connection have their responses. */
	idle(socket: Socket): void {
		if (!this.#taken.has(socket)) return;
		this.#idle.delete(socket);
		this.#idle.set(socket, { evictableFrom: this.#options.clock.now() });
	}

	#makeRoom(): boolean {
		const now = this.#options.clock.now();
		for (const [socket, { evictableFrom }] of this.#idle) {
			if (evictableFrom > now) continue;
			this.#leave(socket);
			socket.destroy();
			return true;
		}
		return false;
	}

	#leave(socket: Socket): void {
		this.#taken.delete(socket);
		this.#surplus.delete(socket);
		this.#idle.delete(socket);
	}
}
