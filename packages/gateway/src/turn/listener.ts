import type { GatewayError } from "./error.ts";
import type { TurnEvent } from "./event.ts";

/**
 * Receives a response. `events` is called once for what one read of the socket brought, so that it can leave in one
 * write; then exactly one of: the batch that ends with `turn-end`, or `failed`.
 */
export interface TurnListener {
	events(batch: readonly TurnEvent[]): void;
	failed(error: GatewayError): void;
}

/** A response under way. */
export interface TurnHandle {
	/** The listener cannot take more: reading stops, which closes the window of the upstream. */
	pause(): void;
	resume(): void;
	/** The client has left: the upstream learns of it at once. Nothing more reaches the listener. */
	cancel(): void;
}
