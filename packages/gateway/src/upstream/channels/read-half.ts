import type { WireStream } from "../../wire/stream.ts";
import type { ResponseReader } from "./response-reader.ts";

/** The server's half of a run, where ours goes another way: it may be paused before it is open, and left at any time. */
export class ReadHalf {
	protected readonly reader: ResponseReader;
	readonly #abort = new AbortController();
	#stream: WireStream | undefined;
	#paused = false;

	constructor(reader: ResponseReader) {
		this.reader = reader;
	}

	/** Aborted when nothing more is wanted. */
	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	attach(stream: WireStream): void {
		this.#stream = stream;
		if (this.#paused) stream.pause();
	}

	pause(): void {
		this.#paused = true;
		this.#stream?.pause();
	}

	resume(): void {
		this.#paused = false;
		this.#stream?.resume();
	}

	cancel(): void {
		this.reader.silence();
		this.#abort.abort();
	}
}
