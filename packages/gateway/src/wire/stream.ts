import type { Soon } from "../time/soon.ts";
import type { WireError } from "./errors.ts";

/** Header names are in lower case. The value is an array where a name occurs more than once. */
export type HeaderMap = Readonly<Record<string, string | string[] | undefined>>;

/** One request to an origin. */
export interface WireRequest {
	origin: URL;
	/** Whose connection to use: requests with different keys (accounts) never share one. */
	key: string;
	/** Path and query. */
	path: string;
	/** Default POST. */
	method?: string;
	/** Lower-case names, without pseudo headers and `host`. */
	headers: Readonly<Record<string, string>>;
	/** Aborting it has the effect of `cancel()`, also while the request still waits for a connection. */
	signal?: AbortSignal;
	/**
	 * For a stream that whoever opens it cancels: gives the request up while it waits for a connection. It is asked for
	 * only then, because most requests need not wait.
	 */
	waiter?: { waitSignal(): AbortSignal };
	/** Longest time from the start of the request to the end of the response. Default: no limit. */
	deadlineMs?: number;
}

/** Status and headers of the response. */
export interface ResponseHead {
	status: number;
	headers: HeaderMap;
}

/**
 * How far a handler has read. `complete`: the content says that it is complete, and the peer only has to end the body.
 * `failed`: the content cannot be used, whatever may still follow.
 */
export type ReadState = "reading" | "complete" | "failed";

/**
 * Receives a response. Its methods are called in the order head, data…, then exactly one of end and error, and then
 * never again. An exception thrown by a method cancels the stream and is reported through `onError`.
 */
export interface StreamHandler {
	/**
	 * Checked after `onHead` and `onData`. A stream whose handler has stopped reading is not left open: after `failed` it
	 * is reset at once, after `complete` the peer has a moment to end it. Without a state the handler reads to the end.
	 */
	readonly state?: ReadState;
	onHead(head: ResponseHead): void;
	/** The bytes may be kept: they are not written to again. */
	onData(chunk: Buffer): void;
	/** The body has ended. Whether its content is complete (end-of-stream envelope) is for the handler to check. */
	onEnd(trailers: HeaderMap): void;
	onError(error: WireError): void;
}

/** The sending half of an exchange, and control over the receiving half. */
export interface WireStream {
	/** Ignored once the stream is over. What the peer does not accept at once is buffered, see `unsent`. */
	write(chunk: Uint8Array): void;
	/** Bytes that were written and that the peer has not accepted yet. */
	readonly unsent: number;
	/** Resolves when the peer has accepted what was written, or when the stream is over. */
	drained(): Promise<void>;
	/** Closes the sending half. */
	end(): void;
	/** Gives the exchange up; the handler gets an "aborted" error unless it is over already. */
	cancel(): void;
	/** Stops `onData`. Flow control then stops the peer: at most one stream window is buffered here. */
	pause(): void;
	resume(): void;
	/** Resolves when the exchange no longer uses the connection. Never rejects. */
	readonly closed: Promise<void>;
}

/** A way to send requests: the HTTP/2 pool or the HTTP/1.1 client. */
export interface Transport {
	/**
	 * Gives the stream when the request is on a connection, at once if there is one with room. A failure means that it
	 * never was, so it is always safe to retry and the handler is not called.
	 */
	open(request: WireRequest, handler: StreamHandler): Soon<WireStream>;
}
