import type { ServerResponse } from "node:http";
import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnHandle, TurnListener } from "../turn/run.ts";
import type { Clock } from "../wire/clock.ts";
import { type Flushable, flushSoon } from "./write-queue.ts";

/** A dialect's way to put events on the wire. */
export interface StreamEncoder {
	/** The text of a whole batch. */
	encode(batch: readonly TurnEvent[]): string;
	/** An error in the middle of the stream, after which nothing that looks like an end may follow. */
	encodeError(error: GatewayError): string;
	/** Whether clients look for this error inside a stream alone, also where the stream has not begun. */
	failsInside?(error: GatewayError): boolean;
}

export interface StreamLimits {
	/** How long the status line is held back for the first event, so that an early failure has an honest status. */
	gateMs: number;
	/** A comment after so much silence keeps proxies and clients awake. */
	commentMs: number;
	/** A client that reads nothing for so long is cut. */
	stalledClientMs: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = { gateMs: 10_000, commentMs: 15_000, stalledClientMs: 60_000 };

/** How a stream ended, where not in order. */
interface StreamEnd {
	cancelled?: boolean;
	error?: GatewayError;
}

export interface StreamResponseOptions {
	response: ServerResponse;
	encoder: StreamEncoder;
	headers(): Record<string, string>;
	/** An error before the stream has begun, with a status of its own. */
	refuse(error: GatewayError): void;
	over(end: StreamEnd): void;
	clock: Clock;
	limits: StreamLimits;
}

const LARGEST_WRITE = 16 * 1024;
const COMMENT = ": keep-alive\n\n";

/** Writes a response as an event stream, straight to the socket. */
export class StreamResponse implements TurnListener, Flushable {
	readonly #options: StreamResponseOptions;
	readonly #response: ServerResponse;
	readonly #handles: TurnHandle[] = [];
	#text = "";
	#queued = false;
	#begun = false;
	#over = false;
	#abandoned = false;
	#paused = false;
	#lastWriteAt: number;
	#cancelTimer: (() => void) | undefined;
	#cancelStall: (() => void) | undefined;

	constructor(options: StreamResponseOptions) {
		this.#options = options;
		this.#response = options.response;
		this.#lastWriteAt = options.clock.now();
		this.#response.on("close", () => this.#closed());
		this.#response.on("drain", () => this.#drained());
		this.#cancelTimer = options.clock.after(options.limits.gateMs, () => this.#begin());
	}

	/** The client left or the stream failed: what is still to come is for nobody. */
	get abandoned(): boolean {
		return this.#abandoned;
	}

	/** A run behind the response. It may come when the response is over. */
	attach(handle: TurnHandle): void {
		this.#handles.push(handle);
		if (this.#abandoned) handle.cancel();
		else if (this.#paused) handle.pause();
	}

	events(batch: readonly TurnEvent[]): void {
		if (this.#over) return;
		const text = this.#options.encoder.encode(batch);
		if (batch[batch.length - 1]!.type === "turn-end") this.end(text);
		else this.say(text);
	}

	/** Text of the stream, sent with whatever else this turn of the event loop brings. */
	say(text: string): void {
		if (text === "" || this.#over) return;
		this.#text += text;
		if (this.#text.length >= LARGEST_WRITE) this.flush();
		else if (!this.#queued) {
			this.#queued = true;
			flushSoon(this);
		}
	}

	failed(error: GatewayError): void {
		if (this.#over) return;
		if (!this.#begun && this.#text === "" && !this.#options.encoder.failsInside?.(error)) {
			this.#abandon({ error });
			this.#options.refuse(error);
			return;
		}
		this.#begin();
		this.#abandon({ error });
		this.#response.end(this.#text + this.#options.encoder.encodeError(error));
	}

	flush(): void {
		this.#queued = false;
		if (this.#text === "" || this.#over) return;
		this.#begin();
		const text = this.#text;
		this.#text = "";
		this.#write(text);
	}

	/** The last text of the stream. */
	end(text: string): void {
		if (this.#over) return;
		this.#begin();
		const all = this.#text + text;
		this.#text = "";
		this.#finish({});
		this.#response.end(all);
	}

	#begin(): void {
		if (this.#begun || this.#over) return;
		this.#begun = true;
		this.#cancelTimer?.();
		this.#response.writeHead(200, this.#options.headers());
		// Nothing to say yet: the client gets its headers all the same.
		if (this.#text === "") this.#response.flushHeaders();
		this.#scheduleComment();
	}

	#write(text: string): void {
		this.#lastWriteAt = this.#options.clock.now();
		if (this.#response.write(text) || this.#paused) return;
		this.#paused = true;
		for (const handle of this.#handles) handle.pause();
		this.#cancelStall = this.#options.clock.after(this.#options.limits.stalledClientMs, () => this.#response.destroy());
	}

	#drained(): void {
		if (!this.#paused) return;
		this.#paused = false;
		this.#cancelStall?.();
		for (const handle of this.#handles) handle.resume();
	}

	#scheduleComment(): void {
		const { clock, limits } = this.#options;
		this.#cancelTimer = clock.after(limits.commentMs, () => {
			if (this.#over) return;
			if (clock.now() - this.#lastWriteAt >= limits.commentMs) this.#write(COMMENT);
			this.#scheduleComment();
		});
	}

	#closed(): void {
		if (!this.#over) this.#abandon({ cancelled: true });
	}

	#abandon(end: StreamEnd): void {
		this.#abandoned = true;
		this.#finish(end);
		for (const handle of this.#handles) handle.cancel();
	}

	#finish(end: StreamEnd): void {
		this.#over = true;
		this.#cancelTimer?.();
		this.#cancelStall?.();
		this.#options.over(end);
	}
}
