import { DEFAULT_SIZE_LIMITS, type SizeLimits } from "./size-limits.ts";

/** Times, counts and sizes of a run; times are in milliseconds. */
export interface RunLimits extends SizeLimits {
	/** Nothing at all arrives. */
	silenceMs: number;
	/** Nothing but heartbeats arrives. Thinking models are slow. */
	heartbeatsOnlyMs: number;
	/** From the request to the end of its reply, without the time that tools take at the client. */
	wholeTurnMs: number;
	heartbeatMs: number;
	execHeartbeatMs: number;
	/** How long further calls are waited for when the protocol does not say whether there are any. */
	graceMs: number;
	/** How long a stream may stay open behind the end of its turn. */
	lingerMs: number;
	transportRetries: number;
	serverRetries: number;
	backoffMs: number;
	longestBackoffMs: number;
}

export const DEFAULT_RUN_LIMITS: RunLimits = {
	...DEFAULT_SIZE_LIMITS,
	silenceMs: 120_000,
	heartbeatsOnlyMs: 600_000,
	wholeTurnMs: 3_600_000,
	heartbeatMs: 5_000,
	execHeartbeatMs: 3_000,
	graceMs: 40,
	lingerMs: 500,
	// The vendor's client tries 10 and 3 times; here a client waits that retries as well.
	transportRetries: 5,
	serverRetries: 2,
	backoffMs: 1_000,
	longestBackoffMs: 60_000,
};
