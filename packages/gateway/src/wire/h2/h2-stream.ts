import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from "node:http2";
import type { Clock } from "../../time/clock.ts";
import { type DeliveredExchange, Delivery } from "../delivery.ts";
import type { HeaderMap, StreamHandler, WireRequest, WireStream } from "../stream.ts";
import { explainStreamFailure, type SessionFate } from "./h2-errors.ts";
import type { SessionHold } from "./h2-session-hold.ts";

/** On a native stream: the exchange that it carries, until it closes. */
const OWNER = Symbol("owner");
type OwnedStream = ClientHttp2Stream & { [OWNER]?: H2Stream | undefined };

type NativeHead = IncomingHttpHeaders & { ":status"?: number };

/** The same for all streams. */
const LISTENERS = {
	response(this: OwnedStream, headers: NativeHead): void {
		this[OWNER]?.head(headers);
	},
	data(this: OwnedStream, chunk: Buffer): void {
		this[OWNER]?.data(chunk);
	},
	trailers(this: OwnedStream, trailers: HeaderMap): void {
		this[OWNER]?.trailers(trailers);
	},
	end(this: OwnedStream): void {
		this[OWNER]?.ended();
	},
	error(this: OwnedStream, error: Error): void {
		this[OWNER]?.failed(error);
	},
	/** V8 often keeps a closed stream until the whole heap is collected (ADR 35). What belonged to it must not stay. */
	close(this: OwnedStream): void {
		const owner = this[OWNER];
		this[OWNER] = undefined;
		owner?.gone();
	},
};

const NO_TRAILERS: HeaderMap = Object.freeze({});

/** What a stream needs from the session it runs on. */
export interface StreamHost {
	readonly clock: Clock;
	readonly fate: SessionFate;
	/** Called once, when the stream no longer counts against the peer's limit. */
	streamClosed(): void;
}

/** One exchange over HTTP/2. */
export class H2Stream implements WireStream {
	readonly #native: ClientHttp2Stream;
	readonly #host: StreamHost;
	readonly #hold: SessionHold;
	readonly #delivery: Delivery;
	#trailers: HeaderMap = NO_TRAILERS;
	#cause: Error | undefined;
	#isClosed = false;
	#whenClosed: Promise<void> | undefined;
	#tellClosed: (() => void) | undefined;

	/** `hold` keeps the session for as long as the native stream needs it. */
	constructor(
		native: ClientHttp2Stream,
		host: StreamHost,
		hold: SessionHold,
		request: WireRequest,
		handler: StreamHandler,
	) {
		this.#native = native;
		this.#host = host;
		this.#hold = hold;
		this.#delivery = new Delivery(request, handler, host.clock, new NativeExchange(native));
		(native as OwnedStream)[OWNER] = this;
		for (const event in LISTENERS) native.on(event, LISTENERS[event as keyof typeof LISTENERS]);
	}

	get closed(): Promise<void> {
		// Few ask for it.
		this.#whenClosed ??= new Promise((resolve) => {
			if (this.#isClosed) resolve();
			else this.#tellClosed = resolve;
		});
		return this.#whenClosed;
	}

	get unsent(): number {
		return this.#native.destroyed ? 0 : this.#native.writableLength;
	}

	write(chunk: Uint8Array): void {
		if (this.#native.writableEnded || this.#native.destroyed) return;
		this.#native.write(chunk);
	}

	drained(): Promise<void> {
		if (this.#native.destroyed || !this.#native.writableNeedDrain) return Promise.resolve();
		const hasRoom = new Promise<void>((resolve) => this.#native.once("drain", resolve));
		return Promise.race([hasRoom, this.closed]);
	}

	end(): void {
		if (!this.#native.writableEnded) this.#native.end();
	}

	cancel(): void {
		this.#delivery.abort("the stream was cancelled");
	}

	pause(): void {
		this.#delivery.pause();
	}

	resume(): void {
		this.#delivery.resume();
	}

	// What the native stream tells.

	head(headers: NativeHead): void {
		this.#delivery.head({ status: headers[":status"] ?? 0, headers });
	}

	data(chunk: Buffer): void {
		this.#delivery.data(chunk);
	}

	trailers(trailers: HeaderMap): void {
		this.#trailers = trailers;
	}

	failed(cause: Error): void {
		this.#cause = cause;
	}

	ended(): void {
		// Node also emits "end" for RST_STREAM(CANCEL) and, with NO_ERROR as the code, for a session that was destroyed.
		// In these cases the "close" event gives the reason.
		if (this.#native.rstCode !== constants.NGHTTP2_NO_ERROR || this.#host.fate.isGone) return;
		this.#hold.release();
		this.#delivery.end(this.#trailers);
		endSoon(this);
	}

	gone(): void {
		this.#hold.streamClosed(this.#native);
		if (!this.#delivery.isOver) {
			const { id, rstCode } = this.#native;
			const { sawHead } = this.#delivery;
			const session = this.#host.fate;
			this.#delivery.fail(explainStreamFailure({ id, rstCode, sawHead, cause: this.#cause, session }));
		}
		this.#host.streamClosed();
		this.#isClosed = true;
		this.#tellClosed?.();
	}

	/** Nothing is sent after a complete response, and a half-closed stream counts as open (RFC 9113 section 5.1.2). */
	closeSendingHalf(): void {
		if (this.#native.writableEnded || this.#native.destroyed) return;
		if (this.#native.writableLength > 0) reset(this.#native);
		else this.#native.end();
	}
}

/** Nobody waits for the end of a stream, so those of a millisecond leave in one write (ADR 66). */
const ENDS_LEAVE_AFTER_MS = 1;
/** Streams whose response is complete. */
const ending: H2Stream[] = [];

function endSoon(stream: H2Stream): void {
	if (ending.push(stream) === 1) setTimeout(endAll, ENDS_LEAVE_AFTER_MS);
}

function endAll(): void {
	for (const stream of ending.splice(0)) stream.closeSendingHalf();
}

/** What a delivery does to the stream. */
class NativeExchange implements DeliveredExchange {
	readonly #native: ClientHttp2Stream;

	constructor(native: ClientHttp2Stream) {
		this.#native = native;
	}

	reset(): void {
		reset(this.#native);
	}

	pause(): void {
		this.#native.pause();
	}

	resume(): void {
		this.#native.resume();
	}
}

function reset(native: ClientHttp2Stream): void {
	native.close(constants.NGHTTP2_CANCEL);
	// Otherwise "close" waits until the peer has read the frame, which a stalled peer never does.
	native.destroy();
}
