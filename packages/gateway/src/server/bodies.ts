import type { IncomingMessage, ServerResponse } from "node:http";
import type { CapacityUser } from "../access/capacity.ts";
import { GatewayError } from "../turn/error.ts";
import type { BodyBudget, BodyRoom } from "./body-budget.ts";
import { bodyTooLarge, declaredLength, readBody } from "./read-body.ts";

const BODILESS = new Set(["GET", "HEAD"]);

/** Bodies on their way in, each of them with room in the budget from before its first byte until it is parsed. */
export class Bodies {
	readonly #budget: BodyBudget;
	readonly #limit: number;
	readonly #rooms = new WeakMap<IncomingMessage, { caller: CapacityUser; room: BodyRoom }>();

	constructor(budget: BodyBudget, limit: number) {
		this.#budget = budget;
		this.#limit = limit;
	}

	/** Resolves when the body of a request may be read. It gives its room back at the latest when the answer is over. */
	async admit(request: IncomingMessage, response: ServerResponse, caller: CapacityUser): Promise<void> {
		// The length of one in chunks is not known: it begins as a small one.
		const bytes = declaredLength(request) ?? this.#budget.smallBytes;
		if (bytes === 0 || BODILESS.has(request.method ?? "")) return;
		if (bytes > this.#limit) throw bodyTooLarge(this.#limit);
		if (isClosed(response)) throw new GatewayError("cancelled");
		const room = this.#budget.reserve(caller, bytes);
		this.#rooms.set(request, { caller, room });
		response.once("close", () => this.#rooms.get(request)?.room.release());
		await room.granted;
	}

	/** The body, parsed. */
	async read<T>(request: IncomingMessage, parse: (bytes: Buffer) => T): Promise<T> {
		const { smallBytes } = this.#budget;
		try {
			const askForMore = () => this.#makeRoomForAll(request);
			return await parse(await readBody(request, { limit: this.#limit, smallBytes, askForMore }));
		} finally {
			this.#rooms.get(request)?.room.release();
		}
	}

	/** How long it will be, nobody knows: it gets room for the longest there can be. */
	async #makeRoomForAll(request: IncomingMessage): Promise<void> {
		const entry = this.#rooms.get(request);
		if (!entry) return;
		const small = entry.room;
		entry.room = this.#budget.reserve(entry.caller, this.#limit);
		small.release();
		await entry.room.granted;
	}
}

/** Whoever has left does not leave again, so that what is to happen then would never happen. */
export function isClosed(response: ServerResponse): boolean {
	return response.closed || response.destroyed;
}
