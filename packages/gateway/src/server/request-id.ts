import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientForm } from "./client-form.ts";

/** The ids of requests. Every response tells its own, so that a request can be found in a log. */
export class RequestIds {
	readonly #newId: () => string;
	readonly #ids = new WeakMap<IncomingMessage, string>();

	constructor(newId: () => string) {
		this.#newId = newId;
	}

	/** Gives the request an id, and puts it on the response before anything can go wrong. */
	give(request: IncomingMessage, response: ServerResponse, { requestIdHeader }: ClientForm): void {
		response.setHeader(requestIdHeader, this.of(request));
	}

	of(request: IncomingMessage): string {
		const id = this.#ids.get(request) ?? this.next();
		this.#ids.set(request, id);
		return id;
	}

	/** An id for the response to something that was not a request. */
	next(): string {
		return `req_${this.#newId()}`;
	}
}
