import type { ServerResponse } from "node:http";
import type { StreamEncoder } from "../dialects/dialect.ts";
import type { Clock } from "../time/clock.ts";
import type { GatewayError } from "../turn/error.ts";

export interface StreamLimits {
	/** How long the status line is held back for the first event, so that an early failure has an honest status. */
	gateMs: number;
	/** A comment after so much silence keeps proxies and clients awake. */
	commentMs: number;
	/** A client that reads nothing for so long is cut. */
	stalledClientMs: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = { gateMs: 10_000, commentMs: 15_000, stalledClientMs: 60_000 };

/** How a stream ended, where not in order. */
export interface StreamEnd {
	cancelled?: boolean;
	error?: GatewayError;
}

export interface StreamResponseOptions {
	response: ServerResponse;
	encoder: StreamEncoder;
	headers(): Record<string, string>;
	/** An error before the stream has begun, with a status of its own. */
	refuse(error: GatewayError): void;
	over(end: StreamEnd): void;
	clock: Clock;
	limits: StreamLimits;
}
