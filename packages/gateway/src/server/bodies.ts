import type { IncomingMessage, ServerResponse } from "node:http";
import type { CapacityUser } from "../access/capacity.ts";
import type { Soon } from "../time/soon.ts";
import { GatewayError } from "../turn/error.ts";
import type { BodyBudget, BodyRoom } from "./body-budget.ts";
import { bodyTooLarge, declaredLength, readBody } from "./read-body.ts";

const BODILESS = new Set(["GET", "HEAD"]);

/** Reads the bodies of requests. Each has room in the budget from before its first byte until it is parsed. */
export class Bodies {
	readonly #budget: BodyBudget;
	readonly #limit: number;
	readonly #rooms = new WeakMap<IncomingMessage, { caller: CapacityUser; room: BodyRoom }>();

	constructor(budget: BodyBudget, limit: number) {
		this.#budget = budget;
		this.#limit = limit;
	}

	/** Returns when the body of a request may be read. Its room is given back when the response closes at the latest. */
	admit(request: IncomingMessage, response: ServerResponse, caller: CapacityUser): Soon<void> {
		// The length of a chunked body is not known, so it starts with the room of a small one.
		const bytes = declaredLength(request) ?? this.#budget.smallBytes;
		if (bytes === 0 || BODILESS.has(request.method ?? "")) return;
		if (bytes > this.#limit) throw bodyTooLarge(this.#limit);
		if (isClosed(response)) throw new GatewayError("cancelled");
		const room = this.#budget.reserve(caller, bytes);
		this.#rooms.set(request, { caller, room });
		response.once("close", () => this.#rooms.get(request)?.room.release());
		return room.granted;
	}

	/** Reads and parses the body; undefined if there is none. */
	read(request: IncomingMessage, parse: (bytes: Buffer) => unknown): unknown {
		if (!hasBody(request)) return undefined;
		const { smallBytes } = this.#budget;
		const askForMore = () => this.#makeRoomForAll(request);
		const release = () => this.#rooms.get(request)?.room.release();
		return readBody(request, { limit: this.#limit, smallBytes, askForMore }).then(
			(bytes) => {
				try {
					return parse(bytes);
				} finally {
					release();
				}
			},
			(error) => {
				release();
				throw error;
			},
		);
	}

	/** The body is no longer small and its length is unknown, so it gets room for the longest that is allowed. */
	async #makeRoomForAll(request: IncomingMessage): Promise<void> {
		const entry = this.#rooms.get(request);
		if (!entry) return;
		const small = entry.room;
		entry.room = this.#budget.reserve(entry.caller, this.#limit);
		small.release();
		await entry.room.granted;
	}
}

/** The guard has made sure that what is posted is JSON. Other methods may have a body, and need none. */
function hasBody(request: IncomingMessage): boolean {
	if (BODILESS.has(request.method ?? "")) return false;
	if (request.method === "POST") return true;
	if (declaredLength(request) === 0) return false;
	if (/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) return true;
	throw new GatewayError("unsupported-media");
}

/** Whether a response is already closed, so that a listener for `close` would never be called. */
export function isClosed(response: ServerResponse): boolean {
	return response.closed || response.destroyed;
}
