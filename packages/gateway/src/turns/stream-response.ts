import type { ServerResponse } from "node:http";
import type { StreamText } from "../text/stream-text.ts";
import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";
import { HeldRuns } from "./held-runs.ts";
import type { StreamEnd, StreamResponseOptions } from "./stream-options.ts";
import { TextQueue } from "./text-queue.ts";
import { type Flushable, flushSoon } from "./write-queue.ts";

const LARGEST_WRITE = 16 * 1024;
const COMMENT = ": keep-alive\n\n";

/** Writes a response as an event stream, straight to the socket. */
export class StreamResponse implements TurnListener, Flushable {
	readonly #options: StreamResponseOptions;
	readonly #response: ServerResponse;
	readonly #runs = new HeldRuns();
	#text = "";
	#queued = false;
	/** Long text, and whatever is to come behind it. */
	readonly #long = new TextQueue();
	#isWritingLong = false;
	/** How the stream ends behind the long text. */
	#ending: StreamEnd | undefined;
	#begun = false;
	#over = false;
	#abandoned = false;
	/** The client has to read before more is written. */
	#full = false;
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
		this.#runs.attach(handle);
	}

	events(batch: readonly TurnEvent[]): void {
		if (this.#isEnding) return;
		const text = this.#options.encoder.encode(batch);
		if (batch[batch.length - 1]!.type === "turn-end") this.end(text);
		else this.say(text);
	}

	/** Text of the stream, sent with whatever else this turn of the event loop brings. */
	say(text: StreamText): void {
		if (text === "" || this.#isEnding) return;
		if (typeof text !== "string" || this.#isWritingLong) return this.#sayLong(text);
		this.#text += text;
		if (this.#text.length >= LARGEST_WRITE) this.flush();
		else if (!this.#queued) {
			this.#queued = true;
			flushSoon(this);
		}
	}

	failed(error: GatewayError): void {
		if (this.#isEnding) return;
		if (!this.#begun && this.#text === "" && !this.#options.encoder.failsInside?.(error)) {
			this.#abandon({ error });
			this.#options.refuse(error);
			return;
		}
		this.#endWith(this.#options.encoder.encodeError(error), { error });
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
	end(text: StreamText): void {
		if (!this.#isEnding) this.#endWith(text, {});
	}

	#endWith(text: StreamText, end: StreamEnd): void {
		if (typeof text === "string" && !this.#isWritingLong) return this.#conclude(text, end);
		this.#ending = end;
		this.#sayLong(text);
	}

	#conclude(text: string, end: StreamEnd): void {
		this.#begin();
		const all = this.#text + text;
		this.#text = "";
		if (end.error) this.#abandon(end);
		else this.#finish(end);
		this.#response.end(all);
	}

	/** Nothing is added any more. */
	get #isEnding(): boolean {
		return this.#over || this.#ending !== undefined;
	}

	#sayLong(text: StreamText): void {
		this.#long.add(text);
		if (this.#isWritingLong) return;
		this.#runs.hold();
		this.flush();
		this.#isWritingLong = true;
		if (!this.#full) this.#writeLong();
	}

	/** One piece of the long text, and the next when the client has taken it and everybody else had a turn. */
	#writeLong(): void {
		if (this.#over) return;
		const piece = this.#long.next();
		if (piece === undefined) return this.#longWritten();
		this.#begin();
		this.#write(piece);
		if (!this.#full) setImmediate(() => this.#writeLong());
	}

	#longWritten(): void {
		this.#isWritingLong = false;
		if (this.#ending) this.#conclude("", this.#ending);
		else this.#runs.letGo();
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
		if (this.#response.write(text) || this.#full) return;
		this.#runs.hold();
		this.#full = true;
		this.#cancelStall = this.#options.clock.after(this.#options.limits.stalledClientMs, () => this.#response.destroy());
	}

	#drained(): void {
		if (!this.#full) return;
		this.#full = false;
		this.#cancelStall?.();
		if (this.#isWritingLong) setImmediate(() => this.#writeLong());
		else this.#runs.letGo();
	}

	#scheduleComment(): void {
		const { clock, limits } = this.#options;
		this.#cancelTimer = clock.after(limits.commentMs, () => {
			if (this.#over) return;
			const isSilent = clock.now() - this.#lastWriteAt >= limits.commentMs;
			// Within a long event a comment would be a part of it.
			if (isSilent && !this.#isWritingLong) this.#write(COMMENT);
			this.#scheduleComment();
		});
	}

	#closed(): void {
		if (!this.#over) this.#abandon({ cancelled: true });
	}

	#abandon(end: StreamEnd): void {
		this.#abandoned = true;
		this.#finish(end);
		this.#runs.cancel();
	}

	#finish(end: StreamEnd): void {
		this.#over = true;
		this.#cancelTimer?.();
		this.#cancelStall?.();
		this.#options.over(end);
	}
}
