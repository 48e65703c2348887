import type { GatewayError } from "../../turn/error.ts";

/** Where a run is opened, and with which identity. */
export interface ChannelRequest {
	/** Base URL of the host. */
	origin: URL;
	/** The key of the connections to use; accounts never share one. */
	key: string;
	/** Headers of the run. A channel adds those of its own framing. */
	headers: Readonly<Record<string, string>>;
	/** Returns headers with a new token, for a request within the run whose token was refused. */
	renewHeaders(): Promise<Readonly<Record<string, string>>>;
}

/** How a channel ended. */
export type ChannelEnd =
	/** The end-of-stream message arrived without an error. */
	| { kind: "complete" }
	/** The end-of-stream message contained an error. */
	| { kind: "error"; error: GatewayError }
	/** The connection or the framing broke. */
	| { kind: "broken"; error: GatewayError; fallback: boolean; safeToRetry: boolean };

/** Receives what the server sends. `batchEnd` follows all messages of one read; `ended` is the last callback. */
export interface ChannelListener {
	/**
	 * One message: the bytes from `start` to `end`, or all of them. A read brings many messages, and a view of its bytes
	 * for each of them would cost more than to read most of them.
	 */
	message(bytes: Uint8Array, start?: number, end?: number): void;
	/** `isLast`: the end of the stream has come with these messages, and `ended` follows at once. */
	batchEnd(isLast?: boolean): void;
	ended(end: ChannelEnd): void;
}

/** A run that is open. */
export interface OpenChannel {
	/** The connection is lost and about to be restored, so the absence of messages does not count as a stall. */
	readonly isInterrupted?: boolean;
	send(message: Uint8Array): void;
	pause(): void;
	resume(): void;
	/** The server is told at once, and the listener is not called again. */
	cancel(): void;
}

/** One way to carry a bidirectional stream. The machine does not know which one is in use. */
export interface Channel {
	readonly name: "h2-duplex" | "sse-append" | "server-stream" | "idempotent";
	/** Requires a network that carries HTTP/2. */
	readonly isHttp2: boolean;
	/** Without a first message the stream is opened, but nothing is sent yet. */
	open(request: ChannelRequest, first: Uint8Array | undefined, listener: ChannelListener): OpenChannel;
}
