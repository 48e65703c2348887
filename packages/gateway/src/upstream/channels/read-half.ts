import { toGatewayError } from "../../turn/error.ts";
import type { WireStream } from "../../wire/stream.ts";
import type { StreamOpener } from "./open-stream.ts";
import { broken, type ResponseReader } from "./response-reader.ts";

/**
 * How many of our bytes may wait to be sent. Far more than a prompt or tool results need. Only a server that keeps
 * asking, for example for parts of the conversation, without reading the answers can reach it.
 */
export const MOST_UNSENT_BYTES = 64 * 1024 * 1024;

/** The server's half of a run. It can be paused before it is open and cancelled at any time. */
export abstract class ReadHalf implements StreamOpener {
	protected readonly reader: ResponseReader;
	#stream: WireStream | undefined;
	/** For a stream that has to wait for a connection. */
	#abort: AbortController | undefined;
	#isCancelled = false;
	/** Paused by the listener. */
	#isPaused = false;
	/** Paused because the server does not read what it asked for. */
	#isFull = false;

	constructor(reader: ResponseReader) {
		this.reader = reader;
	}

	/** Aborted when the stream is no longer wanted, and not open yet. */
	waitSignal(): AbortSignal {
		this.#abort ??= new AbortController();
		if (this.#isCancelled) this.#abort.abort();
		return this.#abort.signal;
	}

	abstract unopened(error: unknown): void;

	attach(stream: WireStream): void {
		this.#stream = stream;
		if (this.#isCancelled) return stream.cancel();
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
		this.#isCancelled = true;
		if (this.#stream) this.#stream.cancel();
		else this.#abort?.abort();
	}

	/** Must be called after each send. If too much is unsent, reading stops until the server has taken it. */
	protected holdIfFull(unsent: number, sent: { drained(): Promise<void> }): void {
		if (!this.#isFull && unsent > MOST_UNSENT_BYTES) this.#hold(sent.drained());
	}

	#hold(drained: Promise<void>): void {
		this.#isFull = true;
		this.reader.hold();
		this.#stream?.pause();
		void drained.then(() => this.#readOn());
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
