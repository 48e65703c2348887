import type { GatewayError } from "./error.ts";
import type { TurnEvent } from "./event.ts";

/**
 * Receives the model's reply while it arrives. `events` is called with a batch of everything that one read of the
 * socket brought, so that it can be sent to the client in one write. The last call is either a batch that ends with
 * `turn-end` or `failed`, and never both.
 */
export interface TurnListener {
	events(batch: readonly TurnEvent[]): void;
	failed(error: GatewayError): void;
}

/** Controls a reply while it arrives. */
export interface TurnHandle {
	/** Stops reading because the listener cannot take more. Flow control then slows down Cursor. */
	pause(): void;
	resume(): void;
	/** Ends the run, usually because the client has disconnected. Nothing more reaches the listener. */
	cancel(): void;
}
