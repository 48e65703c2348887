import { toGatewayError } from "../../turn/error.ts";
import type { WireStream } from "../../wire/stream.ts";
import { broken, type ResponseReader } from "./response-reader.ts";

/**
 * How many of our bytes may wait to be sent. Far more than a prompt or tool results need. Only a server that keeps
 * asking, for example for parts of the conversation, without reading the answers can reach it.
 */
export const MOST_UNSENT_BYTES = 64 * 1024 * 1024;

/** The server's half of a run. It can be paused before it is open and cancelled at any time. */
export class ReadHalf {
	protected readonly reader: ResponseReader;
	readonly #abort = new AbortController();
	#stream: WireStream | undefined;
	/** Paused by the listener. */
	#isPaused = false;
	/** Paused because the server does not read what it asked for. */
	#isFull = false;

	constructor(reader: ResponseReader) {
		this.reader = reader;
	}

	/** Aborted when the stream is no longer wanted. */
	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	attach(stream: WireStream): void {
		this.#stream = stream;
		if (this.#isPaused || this.#isFull) stream.pause();
	}

	pause(): void {
		this.#isPaused = true;
		this.#stream?.pause();
	}

	resume(): void {
		this.#isPaused = false;
		if (!this.#isFull) this.#stream?.resume();
	}

	cancel(): void {
		this.reader.silence();
		this.#abort.abort();
	}

	/** Must be called after each send. If too much is unsent, reading stops until the server has taken it. */
	protected holdIfFull(unsent: number, drained: () => Promise<void>): void {
		if (this.#isFull || unsent <= MOST_UNSENT_BYTES) return;
		this.#isFull = true;
		this.reader.hold();
		this.#stream?.pause();
		void drained().then(() => this.#readOn());
	}

	#readOn(): void {
		this.#isFull = false;
		try {
			this.reader.release();
		} catch (error) {
			this.reader.fail(broken(toGatewayError(error)));
			return this.cancel();
		}
		if (!this.#isPaused && !this.#isFull) this.#stream?.resume();
	}
}
