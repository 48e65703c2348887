export interface StreamLimits {
	/** How long the status line waits for the first event, so that an early failure gets a status of its own. */
	gateMs: number;
	/** After this much silence a comment is sent, so that proxies and clients keep the connection open. */
	commentMs: number;
	/** A client that reads nothing for this long is disconnected. */
	stalledClientMs: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = { gateMs: 10_000, commentMs: 15_000, stalledClientMs: 60_000 };
