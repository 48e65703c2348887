import type { IncomingMessage } from "node:http";
import type { Clock } from "../time/clock.ts";
import { type Listed, Roster } from "../time/roster.ts";

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

/** What a connection has here. */
class Place implements Listed<Place> {
	readonly socket: Socket;
	/** There was no room for it. */
	readonly isSurplus: boolean;
	/** While it is idle. */
	evictableFrom = 0;
	older: Place | undefined;
	newer: Place | undefined;

	constructor(socket: Socket, isSurplus: boolean) {
		this.socket = socket;
		this.isSurplus = isSurplus;
	}
}

/**
 * Limits the number of connections. If there is no room for another one, the one that has been idle for longest is
 * closed: its client just opens a new one, whereas a client that finds no room cannot get in at all.
 */
export class ConnectionRoom {
	readonly #options: ConnectionRoomOptions;
	readonly #places = new Map<Socket, Place>();
	#surplus = 0;
	/** Those without a request in progress, the one that has been idle for longest first. */
	readonly #idle = new Roster<Place>();

	constructor(options: ConnectionRoomOptions) {
		this.#options = options;
	}

	enter(socket: Socket): void {
		const { clock, limit, surplus } = this.#options;
		socket.once("close", () => this.#leave(socket));
		if (this.#places.size - this.#surplus < limit || this.#makeRoom()) {
			return this.#rest(this.#give(socket, false), clock.now() + FRESH_MS);
		}
		if (this.#surplus >= surplus) return void socket.destroy();
		this.#surplus++;
		this.#give(socket, true);
		clock.after(SURPLUS_MS, () => socket.destroy());
	}

	/** Whether there was no room for the connection. Its request only gets an error that says so. */
	isSurplus(socket: Socket): boolean {
		return this.#places.get(socket)?.isSurplus === true;
	}

	/** A request has begun on the connection. */
	busy(socket: Socket): void {
		const place = this.#places.get(socket);
		if (place) this.#idle.delete(place);
	}

	/** All requests of the connection have their responses. */
	idle(socket: Socket): void {
		const place = this.#places.get(socket);
		if (place && !place.isSurplus) this.#rest(place, this.#options.clock.now());
	}

	#give(socket: Socket, isSurplus: boolean): Place {
		const place = new Place(socket, isSurplus);
		this.#places.set(socket, place);
		return place;
	}

	#rest(place: Place, evictableFrom: number): void {
		this.#idle.delete(place);
		place.evictableFrom = evictableFrom;
		this.#idle.add(place);
	}

	#makeRoom(): boolean {
		const now = this.#options.clock.now();
		for (const { socket, evictableFrom } of this.#idle) {
			if (evictableFrom > now) continue;
			this.#leave(socket);
			socket.destroy();
			return true;
		}
		return false;
	}

	#leave(socket: Socket): void {
		const place = this.#places.get(socket);
		if (!place) return;
		this.#places.delete(socket);
		this.#idle.delete(place);
		if (place.isSurplus) this.#surplus--;
	}
}
