import { toGatewayError } from "../../turn/error.ts";
import type { WireStream } from "../../wire/stream.ts";
import { broken, type ResponseReader } from "./response-reader.ts";

/**
 * Bytes of ours that may wait for the server to take them. Far more than a prompt or the results of tools can be; it is
 * reached only by a server that asks and asks, for parts of the conversation for instance, and does not read the answers.
 */
export const MOST_UNSENT_BYTES = 64 * 1024 * 1024;

/** The server's half of a run: it may be paused before it is open, and left at any time. */
export class ReadHalf {
	protected readonly reader: ResponseReader;
	readonly #abort = new AbortController();
	#stream: WireStream | undefined;
	/** By whoever listens. */
	#isPaused = false;
	/** The server does not take what it asked for. */
	#isFull = false;

	constructor(reader: ResponseReader) {
		this.reader = reader;
	}

	/** Aborted when nothing more is wanted. */
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

	/** To be called after each message that was sent. Too much unsent: nothing more is read until the server took it. */
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
