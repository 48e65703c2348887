import { brotliDecompressSync, gunzipSync, type ZlibOptions } from "node:zlib";
import { describeCause, WireError } from "../errors.ts";
import { type Envelope, EnvelopeFlag } from "./envelope.ts";

/** How large one payload may become when it is inflated. */
export interface InflateLimits {
	/** Default 16 MiB. */
	maxBytes?: number;
	/** Inflated size divided by compressed size. Default 200. */
	maxRatio?: number;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_MAX_RATIO = 200;
/** Up to this size the ratio is not checked: a short run of equal bytes exceeds any ratio and is harmless. */
const RATIO_FREE_BYTES = 64 * 1024;

type Inflate = (payload: Uint8Array, options: Pick<ZlibOptions, "maxOutputLength">) => Buffer;

// Synchronous on purpose: frames are small, and using the thread pool would cost more than the work itself.
const INFLATERS: Readonly<Record<string, Inflate>> = { gzip: gunzipSync, br: brotliDecompressSync };

/** Decodes a content coding (RFC 9110 section 8.4.1). Without one, or with `identity`, returns the payload itself. */
export function inflate(payload: Uint8Array, coding: string | undefined, limits: InflateLimits = {}): Uint8Array {
	if (coding === undefined || coding === "identity") return payload;
	const inflater = Object.hasOwn(INFLATERS, coding) ? INFLATERS[coding] : undefined;
	if (inflater === undefined) throw new WireError("unknown-coding", `unknown content coding ${JSON.stringify(coding)}`);
	// Some senders flag an empty message as compressed without compressing it.
	if (payload.length === 0) return payload;
	const cap = outputCap(payload.length, limits);
	try {
		return inflater(payload, { maxOutputLength: cap });
	} catch (cause) {
		throw inflateFailure(cause, coding, cap);
	}
}

/** The message in an envelope of a stream whose headers announced `coding`. */
export function inflateEnvelope(envelope: Envelope, coding: string | undefined, limits?: InflateLimits): Uint8Array {
	if ((envelope.flags & EnvelopeFlag.COMPRESSED) === 0) return envelope.payload;
	if (coding === undefined || coding === "identity") {
		throw new WireError("bad-compression", "envelope flagged as compressed in a stream without a coding");
	}
	return inflate(envelope.payload, coding, limits);
}

function outputCap(compressedBytes: number, limits: InflateLimits): number {
	const byRatio = Math.max(RATIO_FREE_BYTES, compressedBytes * (limits.maxRatio ?? DEFAULT_MAX_RATIO));
	return Math.min(limits.maxBytes ?? DEFAULT_MAX_BYTES, byRatio);
}

function inflateFailure(cause: unknown, coding: string, cap: number): WireError {
	if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
		return new WireError("inflate-limit", `${coding} payload inflates to more than ${cap} bytes`, { cause });
	}
	return new WireError("bad-compression", `payload is not ${coding}: ${describeCause(cause)}`, { cause });
}
