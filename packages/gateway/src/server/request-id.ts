import type { IncomingMessage, ServerResponse } from "node:http";
import { speaksAnthropic } from "./error-form.ts";

const OPENAI_HEADER = "x-request-id";
const ANTHROPIC_HEADER = "request-id";

/** The ids of requests: each answer tells its own, whatever it is, so that one can be found again in a log. */
export class RequestIds {
	readonly #newId: () => string;
	readonly #ids = new WeakMap<IncomingMessage, string>();

	constructor(newId: () => string) {
		this.#newId = newId;
	}

	/** Gives the request an id, and puts it on the answer before anything can go wrong. */
	give(request: IncomingMessage, response: ServerResponse): void {
		response.setHeader(speaksAnthropic(request) ? ANTHROPIC_HEADER : OPENAI_HEADER, this.of(request));
	}

	of(request: IncomingMessage): string {
		const id = this.#ids.get(request) ?? this.#made();
		this.#ids.set(request, id);
		return id;
	}

	/** For the answer to what was no request. */
	header(): Record<string, string> {
		return { [OPENAI_HEADER]: this.#made() };
	}

	#made(): string {
		return `req_${this.#newId()}`;
	}
}
