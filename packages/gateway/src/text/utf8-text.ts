import buffer from "node:buffer";

/** Shorter texts are decoded faster the plain way. */
const SHORT_BYTES = 1 << 10;

/**
 * The text of bytes that are valid UTF-8, much faster than `toString` where they are many. The string may take two bytes
 * per character although one would do, so it is for texts that are parsed and then forgotten.
 */
export function utf8Text(bytes: Buffer, start = 0, end = bytes.length): string {
	// Node can be built without the library behind `transcode`.
	if (end - start <= SHORT_BYTES || !buffer.transcode) return bytes.toString("utf8", start, end);
	const part = bytes.subarray(start, end);
	if (buffer.isAscii(part)) return part.toString("latin1");
	return buffer.transcode(part, "utf8", "utf16le").toString("utf16le");
}
