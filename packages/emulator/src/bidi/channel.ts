import type { Exchange } from "../http/exchange.ts";
import type { RpcFailure } from "../rpc/failure.ts";

/** A bidirectional stream of message bytes, whichever way it is carried. */
export interface BidiChannel {
	readonly rpc: string;
	readonly requestId: string;
	/** The request that carries the server's half; its headers speak for the whole stream. */
	readonly exchange: Exchange;
	/** Aborted when the client has left before the end. */
	readonly clientGone: AbortSignal;
	/** The client's next message; undefined when it will send no more. */
	receive(): Promise<Uint8Array | undefined>;
	send(payload: Uint8Array): void;
	/** Resolves when the client has room for more. */
	ready(): Promise<void>;
	end(failure?: RpcFailure): void;
	/** Whether an injected fault of this name has struck the stream. */
	struck(fault: string): boolean;
	/** Breaks the connection in the middle of things. */
	drop(): void;
}

/** Serves one stream on a channel until it has ended. */
export type BidiService = (channel: BidiChannel) => Promise<void>;
