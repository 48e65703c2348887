import type { Exchange } from "../http/exchange.ts";
import type { RpcFailure } from "../rpc/failure.ts";

/**
 * A bidirectional stream of messages in bytes, whatever carries it: one HTTP/2 stream (duplex.ts), a streamed response
 * with appends (sse.ts), polls with appends (poll.ts), or a request with a single message (server-stream.ts).
 */
export interface BidiChannel {
	readonly rpc: string;
	readonly requestId: string;
	/** The request that carries the server's half. Its headers count for the whole stream. */
	readonly exchange: Exchange;
	/** Aborted if the client leaves before the end. */
	readonly clientGone: AbortSignal;
	/** The client's next message; undefined once it sends no more. */
	receive(): Promise<Uint8Array | undefined>;
	send(payload: Uint8Array): void;
	/** Resolves when the client has read enough for more to be sent. */
	ready(): Promise<void>;
	end(failure?: RpcFailure): void;
	/** Whether an injected fault of this name has struck the stream. */
	struck(fault: string): boolean;
	/** Cuts the connection without ending the stream. */
	drop(): void;
}

/** Serves one stream on a channel until it has ended. */
export type BidiService = (channel: BidiChannel) => Promise<void>;
