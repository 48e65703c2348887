import { createHash } from "node:crypto";

/** A program that Redis runs in one piece: nobody sees half of what it does. */
export interface Script {
	lua: string;
	/** What Redis knows it by, once it has seen it. */
	sha: string;
}

/** Every key of ours begins with it; whoever shares the Redis for something else is left alone. */
export const PREFIX = "cursorwire:";

/**
 * The clocks of the gateways decide what has expired. Redis clears away what no gateway comes back for, so much later
 * that a clock which is slow does not matter.
 */
export const GRACE_MS = 60_000;

export const script = (lua: string): Script => ({ lua, sha: createHash("sha1").update(lua).digest("hex") });

/** A caller as part of a name in Redis: it holds no colon then, which is what ends it. */
export const nameOf = (caller: string): string => encodeURIComponent(caller);

/** The bytes themselves, not a copy. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
	Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
