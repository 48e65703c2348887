import { createHash } from "node:crypto";

/** A program that Redis runs atomically. */
export interface Script {
	lua: string;
	/** Its hash, by which Redis knows it once it has been sent. */
	sha: string;
}

/** Every key of ours begins with it, so that other programs can share the Redis. */
export const PREFIX = "cursorwire:";

/**
 * The gateways' clocks decide what has expired. Redis itself removes what no gateway comes back for, so much later that
 * a slow clock does not matter.
 */
export const GRACE_MS = 60_000;

export const script = (lua: string): Script => ({ lua, sha: createHash("sha1").update(lua).digest("hex") });

/** A caller as part of a name in Redis, without colons, because a colon ends it. */
export const nameOf = (caller: string): string => encodeURIComponent(caller);

/** The bytes themselves, not a copy. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
	Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
