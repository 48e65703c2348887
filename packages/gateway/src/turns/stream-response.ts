import type { StreamEncoder } from "../dialects/dialect.ts";
import type { ReplyOutlet } from "../server/reply-outlet.ts";
import type { StreamText } from "../text/stream-text.ts";
import type { Clock } from "../time/clock.ts";
import { type Delay, delay } from "../time/delay-line.ts";
import { type Flushable, flushSoon } from "../time/flush-soon.ts";
import { type GatewayError, toGatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";
import { HeldRuns } from "./held-runs.ts";
import type { StreamLimits } from "./stream-limits.ts";
import { TextQueue } from "./text-queue.ts";
import type { TurnEnd } from "./turn-outcome.ts";

const LARGEST_WRITE = 16 * 1024;
const COMMENT = ": keep-alive\n\n";

/** The turn that a response belongs to. */
export interface StreamOwner {
	readonly response: ReplyOutlet;
	readonly encoder: StreamEncoder;
	headers(): Record<string, string>;
	/** Sends an error as a plain response, before the stream has begun. */
	refuse(error: GatewayError): void;
	/** The response has ended, in this way. */
	ended(end: TurnEnd): void;
	/** Whether the client is told of a good end before `ended` is called. */
	readonly tellsClientFirst?: boolean;
	/** The connection takes nothing more. */
	closed?(): void;
	readonly clock: Clock;
	readonly limits: StreamLimits;
}

/** Streams a reply to the client as server-sent events, and slows its runs down to the speed of the client. */
export class StreamResponse implements TurnListener, Flushable {
	readonly #owner: StreamOwner;
	readonly #response: ReplyOutlet;
	readonly #runs = new HeldRuns();
	#text = "";
	#queued = false;
	/** Text that is too long for one write, and everything that follows it. */
	#long: TextQueue | undefined;
	#isWritingLong = false;
	/** How the stream ends once the long text is written. */
	#ending: TurnEnd | undefined;
	#begun = false;
	#isOver = false;
	#abandoned = false;
	/** The socket's buffer is full; the client has to read before more is written. */
	#full = false;
	#lastWriteAt: number;
	/** Until the status line is sent, then until the next comment. */
	#timer: Delay;
	#cancelStall: (() => void) | undefined;

	constructor(owner: StreamOwner) {
		this.#owner = owner;
		this.#response = owner.response;
		this.#lastWriteAt = owner.clock.now();
		this.#response.on("close", () => this.#closed());
		this.#timer = delay(owner.clock, owner.limits.gateMs, () => this.#begin());
	}

	/** The client left or the stream failed, so nobody reads what is still to come. */
	get abandoned(): boolean {
		return this.#abandoned;
	}

	/** Adds a run whose events go into this response. The response may have ended already. */
	attach(handle: TurnHandle): void {
		this.#runs.attach(handle);
	}

	events(batch: readonly TurnEvent[]): void {
		if (this.#isEnding) return;
		const text = this.encoded(this.#owner.encoder, batch);
		if (text === undefined) return;
		if (batch[batch.length - 1]!.type === "turn-end") this.end(text);
		else this.say(text);
	}

	/** The text of a batch. A mistake in an encoder fails this response and no other; there is no text then. */
	encoded(encoder: StreamEncoder, batch: readonly TurnEvent[]): StreamText | undefined {
		try {
			return encoder.encode(batch);
		} catch (error) {
			this.failed(toGatewayError(error));
			return undefined;
		}
	}

	/** Text of the stream. Everything said in one turn of the event loop leaves in one write. */
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
		try {
			this.#tellFailure(error);
		} catch {
			// The dialect cannot even write the error. A cut response tells the client at least that it is not complete.
			this.#breakOff(error);
		}
	}

	#tellFailure(error: GatewayError): void {
		if (!this.#begun && this.#text === "" && !this.#owner.encoder.failsInside?.(error)) {
			this.#abandon({ error });
			this.#owner.refuse(error);
			return;
		}
		this.#endWith(this.#owner.encoder.encodeError(error), { error });
	}

	flush(): void {
		this.#queued = false;
		if (this.#text === "" || this.#isOver) return;
		this.#begin();
		const text = this.#text;
		this.#text = "";
		this.#write(text);
	}

	/** The last text of the stream. */
	end(text: StreamText): void {
		if (!this.#isEnding) this.#endWith(text, {});
	}

	#endWith(text: StreamText, end: TurnEnd): void {
		if (typeof text === "string" && !this.#isWritingLong) return this.#conclude(text, end);
		this.#ending = end;
		this.#sayLong(text);
	}

	#conclude(text: string, end: TurnEnd): void {
		this.#writeHead();
		const all = this.#text + text;
		this.#text = "";
		if (!end.error && this.#owner.tellsClientFirst) {
			this.#isOver = true;
			this.#response.end(all);
			return this.#finish(end);
		}
		if (end.error) this.#abandon(end);
		else this.#finish(end);
		this.#response.end(all);
	}

	/** The end of the stream is decided; further text is dropped. */
	get #isEnding(): boolean {
		return this.#isOver || this.#ending !== undefined;
	}

	#sayLong(text: StreamText): void {
		this.#long ??= new TextQueue();
		this.#long.add(text);
		if (this.#isWritingLong) return;
		this.#runs.hold();
		this.flush();
		this.#isWritingLong = true;
		if (!this.#full) this.#writeLong();
	}

	/** Writes one piece of the long text. The next one follows when the client has read it and others had a turn. */
	#writeLong(): void {
		if (this.#isOver) return;
		try {
			const piece = this.#long?.next();
			if (piece === undefined) return this.#longWritten();
			this.#begin();
			this.#write(piece);
		} catch (error) {
			return this.#breakOff(toGatewayError(error));
		}
		if (!this.#full) setImmediate(() => this.#writeLong());
	}

	#longWritten(): void {
		this.#isWritingLong = false;
		if (this.#ending) this.#conclude("", this.#ending);
		else this.#runs.letGo();
	}

	#begin(): void {
		if (!this.#writeHead()) return;
		// There is no text yet, but the client should see the headers now.
		if (this.#text === "") this.#response.flushHeaders();
		this.#scheduleComment();
	}

	/** False if that was done before. */
	#writeHead(): boolean {
		if (this.#begun || this.#isOver) return false;
		this.#begun = true;
		this.#timer.cancel();
		this.#response.writeHead(200, this.#owner.headers());
		return true;
	}

	#write(text: string): void {
		this.#lastWriteAt = this.#owner.clock.now();
		if (this.#response.write(text) || this.#full) return;
		this.#runs.hold();
		this.#full = true;
		this.#response.once("drain", () => this.#drained());
		this.#cancelStall = this.#owner.clock.after(this.#owner.limits.stalledClientMs, () => this.#response.destroy());
	}

	#drained(): void {
		this.#full = false;
		this.#cancelStall?.();
		if (this.#isWritingLong) setImmediate(() => this.#writeLong());
		else this.#runs.letGo();
	}

	#scheduleComment(): void {
		const { clock, limits } = this.#owner;
		this.#timer = delay(clock, limits.commentMs, () => {
			if (this.#isOver) return;
			const isSilent = clock.now() - this.#lastWriteAt >= limits.commentMs;
			// In the middle of a long event a comment would become part of that event.
			if (isSilent && !this.#isWritingLong) this.#write(this.#owner.encoder.keepAlive ?? COMMENT);
			this.#scheduleComment();
		});
	}

	#closed(): void {
		this.#owner.closed?.();
		if (!this.#isOver) this.#abandon({ cancelled: true });
	}

	#abandon(end: TurnEnd): void {
		this.#abandoned = true;
		this.#finish(end);
		this.#runs.cancel();
	}

	#breakOff(error: GatewayError): void {
		if (!this.#isOver) this.#abandon({ error });
		this.#response.destroy();
	}

	#finish(end: TurnEnd): void {
		this.#isOver = true;
		this.#timer.cancel();
		this.#cancelStall?.();
		this.#owner.ended(end);
	}
}
