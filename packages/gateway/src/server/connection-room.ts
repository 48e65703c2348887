import type { IncomingMessage } from "node:http";
import type { Clock } from "../time/clock.ts";

type Socket = IncomingMessage["socket"];

export interface ConnectionRoomOptions {
	clock: Clock;
	/** Connections at once. */
	limit: number;
	/** Connections beyond that which are told so; further ones are closed without a word. */
	surplus: number;
}

/** So long has a new connection to send the headers of a request before it counts as idle. */
const FRESH_MS = 1_000;
/** So long has a connection for which there is no room to send a request, which is answered with why. */
const SURPLUS_MS = 1_000;

/**
 * Counts connections. Where there is no room for another one, the one that has been idle the longest makes room:
 * clients open a new one when theirs is gone, whereas whoever finds no room at all cannot get in.
 */
export class ConnectionRoom {
	readonly #options: ConnectionRoomOptions;
	readonly #taken = new Set<Socket>();
	readonly #surplus = new Set<Socket>();
	/** Connections without a request under way, the one that has been so for the longest first. */
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

	/** There was no room for it: it gets an answer that says so, and nothing else. */
	isSurplus(socket: Socket): boolean {
		return this.#surplus.has(socket);
	}

	/** A request is under way. */
	busy(socket: Socket): void {
		this.#idle.delete(socket);
	}

	/** All of its requests are answered. */
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
