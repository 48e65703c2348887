import type { ServerResponse } from "node:http";
import type { LogBook, NumberedEntry } from "../observe/log-book.ts";
import type { LogEntry } from "../observe/log-entry.ts";
import type { Clock } from "../time/clock.ts";
import { GatewayError } from "../turn/error.ts";

const MOST_READERS = 16;
const HEARTBEAT_MS = 15_000;
/** A reader that has taken nothing for so many heartbeats is gone. */
const STALLED_BEATS = 4;

const HEADERS = {
	"content-type": "text/event-stream; charset=utf-8",
	"cache-control": "no-store",
};

/** The streams of those who follow the log. */
export class LogReaders {
	readonly #book: LogBook;
	readonly #clock: Clock;
	readonly #readers = new Set<LogReader>();

	constructor(book: LogBook, clock: Clock) {
		this.#book = book;
		this.#clock = clock;
	}

	/** What is kept of the log, oldest first. */
	entries(): LogEntry[] {
		return this.#book.entries().map(({ entry }) => entry);
	}

	/** Streams what is kept, then everything that is logged from now on. */
	add(response: ServerResponse): void {
		if (this.#readers.size >= MOST_READERS) {
			throw new GatewayError("overloaded", `${MOST_READERS} others follow the log already.`, {
				nextStep: "End one of them, or ask for the log without following it.",
			});
		}
		response.writeHead(200, HEADERS);
		const reader = new LogReader(response, this.#clock);
		this.#readers.add(reader);
		for (const numbered of this.#book.entries()) reader.begin(numbered);
		reader.send("event: live\ndata: {}\n\n");
		const stop = this.#book.follow((numbered) => reader.take(numbered));
		response.once("close", () => {
			stop();
			reader.stop();
			this.#readers.delete(reader);
		});
	}

	/** Tells all readers that the gateway ends. */
	close(): void {
		for (const reader of this.#readers) reader.end();
	}
}

/** One stream. A reader that is too slow misses entries and is told how many; the gateway never waits for it. */
class LogReader {
	readonly #response: ServerResponse;
	readonly #clock: Clock;
	#isFull = false;
	#dropped = 0;
	#stalledBeats = 0;
	#cancelBeat: () => void;

	constructor(response: ServerResponse, clock: Clock) {
		this.#response = response;
		this.#clock = clock;
		this.#cancelBeat = clock.after(HEARTBEAT_MS, () => this.#beat());
		response.on("drain", () => this.#drained());
		// A reader that breaks off is no mistake; "close" follows.
		response.on("error", () => {});
	}

	/** What is kept is bounded, so all of it is sent, however slow the reader is. */
	begin(numbered: NumberedEntry): void {
		this.send(eventOf(numbered));
	}

	take(numbered: NumberedEntry): void {
		if (this.#isFull) this.#dropped++;
		else this.send(eventOf(numbered));
	}

	send(text: string): void {
		if (!this.#response.write(text)) this.#isFull = true;
	}

	end(): void {
		this.#response.end(`${this.#takeDropped()}event: end\ndata: {}\n\n`);
	}

	stop(): void {
		this.#cancelBeat();
	}

	#drained(): void {
		this.#isFull = false;
		this.#stalledBeats = 0;
		if (this.#dropped > 0) this.send(this.#takeDropped());
	}

	/** Says how many entries were dropped, once. */
	#takeDropped(): string {
		const dropped = this.#dropped;
		this.#dropped = 0;
		return dropped === 0 ? "" : `event: dropped\ndata: ${JSON.stringify({ dropped })}\n\n`;
	}

	#beat(): void {
		if (this.#isFull && ++this.#stalledBeats === STALLED_BEATS) return void this.#response.destroy();
		if (!this.#isFull) this.send(": keep-alive\n\n");
		this.#cancelBeat = this.#clock.after(HEARTBEAT_MS, () => this.#beat());
	}
}

const eventOf = ({ id, entry }: NumberedEntry): string => `id: ${id}\ndata: ${JSON.stringify(entry)}\n\n`;
