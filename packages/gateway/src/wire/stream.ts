import type { WireError } from "./errors.ts";

/** Header names are lower case; a name that may occur more than once has an array. */
export type HeaderMap = Readonly<Record<string, string | string[] | undefined>>;

/** One request to an origin. */
export interface WireRequest {
	origin: URL;
	/** Whose connection to use. Requests with different keys (accounts) never share one. */
	key: string;
	/** Path and query. */
	path: string;
	/** Default POST. */
	method?: string;
	/** Lower-case names, without pseudo headers and `host`. */
	headers: Readonly<Record<string, string>>;
	/** Aborting it is `cancel()`, also while the request still waits for a connection. */
	signal?: AbortSignal;
	/** Longest time from the start of the request to the end of the response. Default: no limit. */
	deadlineMs?: number;
}

/** Status and headers of the response. */
export interface ResponseHead {
	status: number;
	headers: HeaderMap;
}

/**
 * How far a handler is. `complete`: the content says that it is at its end, and the peer only has to close the body.
 * `failed`: the content cannot be used, and nothing that may still come changes that.
 */
export type ReadState = "reading" | "complete" | "failed";

/**
 * Receives a response. Called in the order head, data…, then exactly one of end and error, and never again after that.
 * An exception thrown by a callback cancels the stream and comes back through `onError`.
 */
export interface StreamHandler {
	/**
	 * Looked at after `onHead` and `onData`. A stream whose handler is no longer reading is not left open: after `failed`
	 * it is reset at once, after `complete` the peer has a moment to close it. Without it the handler reads to the end.
	 */
	readonly state?: ReadState;
	onHead(head: ResponseHead): void;
	/** The bytes may be kept; nobody writes into them again. */
	onData(chunk: Buffer): void;
	/** The body is complete. Whether it *says* that it is complete (end-of-stream envelope) is the caller's check. */
	onEnd(trailers: HeaderMap): void;
	onError(error: WireError): void;
}

/** The sending half of an exchange, and the tap of the receiving half. */
export interface WireStream {
	/** Ignored once the stream is over. What the peer does not take at once waits here, see `unsent`. */
	write(chunk: Uint8Array): void;
	/** Bytes that were written and that the peer has not taken yet. */
	readonly unsent: number;
	/** Resolves when the peer has taken what was written, or when the stream is over. */
	drained(): Promise<void>;
	/** Closes the sending half. */
	end(): void;
	/** Gives the exchange up; the handler gets an "aborted" error unless it is over already. */
	cancel(): void;
	/** Stops `onData`. Bytes then pile up in the peer, not here: at most one stream window is kept. */
	pause(): void;
	resume(): void;
	/** Resolves, never rejects, when nothing of the exchange is left on the connection. */
	readonly closed: Promise<void>;
}

/** A way to send requests: the HTTP/2 pool or the HTTP/1.1 client. */
export interface Transport {
	/**
	 * Resolves when the request is on a connection. A rejection means that it never was, so it is always safe to retry
	 * and the handler is not called.
	 */
	open(request: WireRequest, handler: StreamHandler): Promise<WireStream>;
}
