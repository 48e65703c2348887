import type { GatewayError } from "../../turn/error.ts";

/** Where and as whom a run is opened. */
export interface ChannelRequest {
	/** Base URL of the host. */
	origin: URL;
	/** Whose connections to use. */
	key: string;
	/** Headers of the run; a channel adds those of its own framing. */
	headers: Readonly<Record<string, string>>;
	/** Headers with another token, for a call within the run whose token was refused. */
	renewHeaders(): Promise<Record<string, string>>;
}

/** How a channel ended. */
export type ChannelEnd =
	/** The end-of-stream message, without an error. */
	| { kind: "complete" }
	/** The end-of-stream message named an error. */
	| { kind: "error"; error: GatewayError }
	/** The connection or the framing broke. */
	| { kind: "broken"; error: GatewayError; fallback: boolean; safeToRetry: boolean };

/** Receives the server's half. `batchEnd` follows all messages of one read; `ended` is the last call. */
export interface ChannelListener {
	message(payload: Uint8Array): void;
	batchEnd(): void;
	ended(end: ChannelEnd): void;
}

/** A run that is open. */
export interface OpenChannel {
	/** It is cut and about to be taken up again: that nothing comes says nothing. */
	readonly isInterrupted?: boolean;
	send(message: Uint8Array): void;
	pause(): void;
	resume(): void;
	/** The server learns of it at once; the listener hears nothing more. */
	cancel(): void;
}

/** One way to carry a bidirectional stream. The machine above never knows which. */
export interface Channel {
	readonly name: "h2-duplex" | "sse-append" | "server-stream" | "idempotent";
	/** Needs a network that carries HTTP/2. */
	readonly isHttp2: boolean;
	/** Without a first message the stream is opened and nothing sent yet. */
	open(request: ChannelRequest, first: Uint8Array | undefined, listener: ChannelListener): OpenChannel;
}
