import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type Envelope, FLAG } from "./envelope.ts";

export const MAX_MESSAGE = 64 << 20;

/** The payload of an envelope, decompressed if its flag says that it is compressed. */
export function inflate(envelope: Envelope, coding: string | undefined): Uint8Array {
	if (!(envelope.flags & FLAG.compressed)) return envelope.payload;
	if (coding === "gzip") return gunzipSync(envelope.payload, { maxOutputLength: MAX_MESSAGE });
	if (coding === "br") return brotliDecompressSync(envelope.payload, { maxOutputLength: MAX_MESSAGE });
	throw new Error(`compressed message without a known content encoding (${coding ?? "none"})`);
}

/** How a request's messages are compressed. Connect and grpc-web have different headers for it. */
export function requestCoding(headers: Record<string, string>): string | undefined {
	return headers["connect-content-encoding"] ?? headers["grpc-encoding"];
}
