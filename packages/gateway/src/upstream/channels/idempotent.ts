import type { Clock } from "../../time/clock.ts";
import { GatewayError, toGatewayError } from "../../turn/error.ts";
import type { ErrorKind } from "../../turn/error-kinds.ts";
import type { Observe } from "../run/observe.ts";
import type { RunLimits } from "../run/run-limits.ts";
import type { Channel, ChannelEnd, ChannelListener, ChannelRequest, OpenChannel } from "./channel.ts";
import { ABORT, clientChunk, type IdempotentMessage, readIdempotent } from "./idempotent-messages.ts";

export interface IdempotentOptions {
	clock: Clock;
	limits: Pick<RunLimits, "transportRetries" | "backoffMs" | "longestBackoffMs">;
	newId(): string;
	observe?: Observe | undefined;
}

/** Errors that another connection can fix. Malformed responses are not included, because they would come again. */
const MENDABLE = new Set<ErrorKind>(["upstream-reset", "upstream-stalled", "upstream-timeout", "upstream-unavailable"]);
/** How long an abort may take to get through before the connection is closed. */
const ABORT_MS = 1_000;

/**
 * Limit on what is kept for another connection: ids of the events that were received, and messages that were not
 * acknowledged. A stream that exceeds it continues, but can no longer be restored, because an error is better than
 * repeated text.
 */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 64;

/**
 * A stream that outlives its connections. Our messages are numbered and sent again until they are acknowledged. The
 * server's carry event ids and are sent again from the last one that we name. The listener sees a single stream.
 */
export class IdempotentChannel implements Channel {
	readonly name = "idempotent";
	readonly isHttp2: boolean;
	readonly #inner: Channel;
	readonly #options: IdempotentOptions;

	constructor(inner: Channel, options: IdempotentOptions) {
		this.#inner = inner;
		this.#options = options;
		this.isHttp2 = inner.isHttp2;
	}

	open(request: ChannelRequest, first: Uint8Array | undefined, listener: ChannelListener): OpenChannel {
		const stream = new IdempotentStream(this.#inner, request, listener, this.#options);
		if (first) stream.send(first);
		stream.connect();
		return stream;
	}
}

class IdempotentStream implements OpenChannel {
	readonly #inner: Channel;
	readonly #request: ChannelRequest;
	readonly #listener: ChannelListener;
	readonly #options: IdempotentOptions;
	readonly #key: string;
	/** By sequence number, in order. */
	readonly #unacknowledged = new Map<number, Uint8Array>();
	/** Ids of the events that the listener has received. */
	readonly #seen = new Set<string>();
	/** Size of both collections above. */
	#keptBytes = 0;
	#headers: Readonly<Record<string, string>>;
	#nextSeqno = 0;
	#lastEventId = "";
	#connection: OpenChannel | undefined;
	/** The server has accepted the stream and keeps what another connection needs. */
	#isKept = false;
	/** The stream exceeded what is kept for another connection. */
	#isTooLong = false;
	/** The current connection has been accepted. */
	#isWelcome = false;
	#isOver = false;
	#isPaused = false;
	/** Consecutive connections that delivered nothing. */
	#fruitless = 0;
	#isTokenRenewed = false;
	#cancelTimer: (() => void) | undefined;

	constructor(inner: Channel, request: ChannelRequest, listener: ChannelListener, options: IdempotentOptions) {
		this.#inner = inner;
		this.#request = request;
		this.#listener = listener;
		this.#options = options;
		this.#key = options.newId();
		this.#headers = request.headers;
	}

	get isInterrupted(): boolean {
		return !this.#isWelcome;
	}

	connect(): void {
		const [first, ...others] = this.#unacknowledged.values();
		const { origin, key } = this.#request;
		const request: ChannelRequest = {
			origin,
			key,
			renewHeaders: () => this.#request.renewHeaders(),
			headers: {
				...this.#headers,
				"x-request-id": this.#options.newId(),
				"x-idempotency-key": this.#key,
				...(this.#lastEventId && { "x-idempotency-event-id": this.#lastEventId }),
			},
		};
		const connection = this.#inner.open(request, first, {
			message: (bytes, start, end) => this.#message(bytes.subarray(start, end)),
			batchEnd: () => this.#isOver || this.#listener.batchEnd(),
			ended: (end) => this.#ended(end),
		});
		this.#connection = connection;
		for (const message of others) connection.send(message);
		if (this.#isPaused) connection.pause();
	}

	send(message: Uint8Array): void {
		const seqno = this.#nextSeqno++;
		const numbered = clientChunk(message, seqno);
		// The first message opens the stream, so it is always kept until it is acknowledged.
		if (this.#mayKeep(numbered.length) || seqno === 0) this.#unacknowledged.set(seqno, numbered);
		this.#connection?.send(numbered);
	}

	pause(): void {
		this.#isPaused = true;
		this.#connection?.pause();
	}

	resume(): void {
		this.#isPaused = false;
		this.#connection?.resume();
	}

	/** Sends an abort, because the server would keep the turn alive for a client that merely lost its connection. */
	cancel(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#cancelTimer?.();
		const connection = this.#connection;
		if (!connection) return;
		connection.resume();
		connection.send(ABORT);
		this.#cancelTimer = this.#options.clock.after(ABORT_MS, () => connection.cancel());
	}

	#message(payload: Uint8Array): void {
		if (this.#isOver) return;
		const message = read(payload);
		switch (message.kind) {
			case "welcome":
				this.#isKept = !message.isDegraded && !this.#isTooLong;
				this.#isWelcome = true;
				this.#options.observe?.(this.#request.key, "idempotent-stream", message.isDegraded ? "degraded" : "kept");
				return;
			case "ack":
				return this.#acknowledged(message.seqno);
			case "chunk":
				this.#fruitless = 0;
				this.#isTokenRenewed = false;
				return this.#chunk(message.chunk, message.eventId);
			case "unknown":
				return;
		}
	}

	#chunk(chunk: Uint8Array, eventId: string): void {
		if (eventId !== "") {
			if (this.#seen.has(eventId)) return;
			if (this.#mayKeep(eventId.length)) this.#seen.add(eventId);
			this.#lastEventId = eventId;
		}
		this.#listener.message(chunk);
	}

	#acknowledged(seqno: number): void {
		const message = this.#unacknowledged.get(seqno);
		if (!message) return;
		this.#keptBytes -= message.length + ENTRY_BYTES;
		this.#unacknowledged.delete(seqno);
	}

	/** Once this has returned false, nothing more is kept. */
	#mayKeep(bytes: number): boolean {
		if (this.#isTooLong) return false;
		this.#keptBytes += bytes + ENTRY_BYTES;
		if (this.#keptBytes <= MOST_KEPT_BYTES) return true;
		this.#isTooLong = true;
		this.#isKept = false;
		this.#seen.clear();
		this.#unacknowledged.clear();
		return false;
	}

	#ended(end: ChannelEnd): void {
		this.#connection = undefined;
		this.#isWelcome = false;
		// The abort got through.
		if (this.#isOver) return this.#cancelTimer?.();
		if (end.kind === "error" && end.error.kind === "signed-out" && this.#isKept && !this.#isTokenRenewed) {
			return void this.#renew();
		}
		if (end.kind === "broken" && this.#mayReconnect(end.error)) return this.#reconnect();
		this.#isOver = true;
		this.#listener.ended(end);
	}

	#mayReconnect({ kind }: GatewayError): boolean {
		return this.#isKept && MENDABLE.has(kind) && this.#fruitless < this.#options.limits.transportRetries;
	}

	#reconnect(): void {
		const { clock, limits } = this.#options;
		// The first attempt is made at once, because most connections break simply because they are old.
		const delay = this.#fruitless === 0 ? 0 : limits.backoffMs * 2 ** this.#fruitless;
		this.#fruitless += 1;
		this.#cancelTimer = clock.after(Math.min(delay, limits.longestBackoffMs), () => {
			if (!this.#isTooLong) return this.connect();
			this.#isOver = true;
			this.#listener.ended({
				kind: "broken",
				error: new GatewayError("upstream-reset"),
				fallback: false,
				safeToRetry: false,
			});
		});
	}

	async #renew(): Promise<void> {
		this.#isTokenRenewed = true;
		try {
			this.#headers = await this.#request.renewHeaders();
			if (!this.#isOver) this.connect();
		} catch (error) {
			if (this.#isOver) return;
			this.#isOver = true;
			this.#listener.ended({ kind: "error", error: toGatewayError(error) });
		}
	}
}

function read(payload: Uint8Array): IdempotentMessage {
	try {
		return readIdempotent(payload);
	} catch (cause) {
		throw new GatewayError("upstream-protocol", "A message of Cursor cannot be read.", { cause });
	}
}
