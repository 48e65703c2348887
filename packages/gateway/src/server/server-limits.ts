import { type BodyLimits, DEFAULT_BODY_LIMITS } from "./body-limits.ts";

export interface ServerLimits {
	bodyBytes: number;
	/** For all bodies that are being read. */
	bodies: BodyLimits;
	headersMs: number;
	requestMs: number;
	keepAliveMs: number;
	connections: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
	bodyBytes: 32 << 20,
	bodies: DEFAULT_BODY_LIMITS,
	headersMs: 10_000,
	requestMs: 60_000,
	// Agents send the next request after a tool has run. Node's default of five seconds is often too short for that.
	keepAliveMs: 65_000,
	connections: 1_024,
};
