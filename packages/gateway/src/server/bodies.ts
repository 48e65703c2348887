import type { IncomingMessage } from "node:http";
import type { CapacityUser } from "../access/capacity.ts";
import type { Soon } from "../time/soon.ts";
import { GatewayError } from "../turn/error.ts";
import type { BodyBudget, BodyRoom } from "./body-budget.ts";
import type { Exchange, RequestCaller } from "./exchange.ts";
import { type BodyReader, bodyTooLarge, declaredLength, readBody } from "./read-body.ts";

const BODILESS = new Set(["GET", "HEAD"]);

/** Reads the bodies of requests. Each has room in the budget from before its first byte until it is parsed. */
export class Bodies {
	readonly #budget: BodyBudget;
	readonly #limit: number;

	constructor(budget: BodyBudget, limit: number) {
		this.#budget = budget;
		this.#limit = limit;
	}

	/** Returns when the body of a request may be read. Its room is given back when the response closes at the latest. */
	admit(exchange: Exchange<RequestCaller>, caller: CapacityUser): Soon<void> {
		const { request } = exchange;
		// The length of a chunked body is not known, so it starts with the room of a small one.
		const bytes = declaredLength(request) ?? this.#budget.smallBytes;
		if (bytes === 0 || BODILESS.has(request.method ?? "")) return;
		if (bytes > this.#limit) throw bodyTooLarge(this.#limit);
		if (exchange.isClosed) throw new GatewayError("cancelled");
		exchange.room = this.#budget.reserve(caller, bytes);
		return exchange.room.granted;
	}

	/** Waits for room for a message on a connection that is open already. */
	async reserve(caller: CapacityUser, bytes: number): Promise<BodyRoom> {
		const room = this.#budget.reserve(caller, Math.min(bytes, this.#limit));
		await room.granted;
		return room;
	}

	/** Reads the body of a request that has one. */
	read(exchange: Exchange<RequestCaller>, reader: BodyReader): void {
		const { smallBytes } = this.#budget;
		const askForMore = () => this.#makeRoomForAll(exchange);
		readBody(exchange.request, { limit: this.#limit, smallBytes, askForMore }, reader);
	}

	/** The body is no longer small and its length is unknown, so it gets room for the longest that is allowed. */
	async #makeRoomForAll(exchange: Exchange<RequestCaller>): Promise<void> {
		const { room: small, caller } = exchange;
		if (!small || !caller) return;
		exchange.room = this.#budget.reserve(caller, this.#limit);
		small.release();
		await exchange.room.granted;
	}
}

/** The guard has made sure that what is posted is JSON. Other methods may have a body, and need none. */
export function hasBody(request: IncomingMessage): boolean {
	if (BODILESS.has(request.method ?? "")) return false;
	if (request.method === "POST") return true;
	if (declaredLength(request) === 0) return false;
	if (/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) return true;
	throw new GatewayError("unsupported-media");
}
