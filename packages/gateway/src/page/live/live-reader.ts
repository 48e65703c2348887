import type { ServerResponse } from "node:http";
import { DATA_HEADERS } from "../page-headers.ts";

/** A page that has taken nothing for so many heartbeats is gone. */
const STALLED_BEATS = 4;

/** The stream to one page. A page that is too slow misses frames and gets a snapshot; the gateway keeps none for it. */
export class LiveReader {
	readonly session: string;
	readonly #response: ServerResponse;
	readonly #snapshot: () => string;
	#hasBegun = false;
	#isFull = false;
	#hasMissed = false;
	#stalledBeats = 0;

	/** `snapshot`: what brings a page up to date. */
	constructor(response: ServerResponse, session: string, snapshot: () => string) {
		this.session = session;
		this.#response = response;
		this.#snapshot = snapshot;
		response.writeHead(200, { ...DATA_HEADERS, "content-type": "text/event-stream; charset=utf-8" });
		response.flushHeaders();
		response.on("drain", () => this.#drained());
		// A page that breaks off is no mistake; "close" follows.
		response.on("error", () => {});
	}

	/** Sends what the page has missed; undefined: too much is missing, so it begins anew. */
	begin(missed: readonly string[] | undefined): void {
		this.#hasBegun = true;
		this.#write(missed ? missed.join("") : this.#snapshot());
	}

	take(frame: string): void {
		if (!this.#hasBegun) return;
		if (this.#isFull) this.#hasMissed = true;
		else this.#write(frame);
	}

	beat(): void {
		if (!this.#isFull) return this.#write(": keep-alive\n\n");
		if (++this.#stalledBeats === STALLED_BEATS) this.#response.destroy();
	}

	end(): void {
		this.#response.end();
	}

	#write(text: string): void {
		if (text !== "" && !this.#response.write(text)) this.#isFull = true;
	}

	#drained(): void {
		this.#isFull = false;
		this.#stalledBeats = 0;
		if (!this.#hasMissed) return;
		this.#hasMissed = false;
		this.#write(this.#snapshot());
	}
}
