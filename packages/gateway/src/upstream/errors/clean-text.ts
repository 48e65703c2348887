import { maskSecrets } from "../../text/mask-secrets.ts";

const MAX_BYTES = 2048;

// Control characters (a terminal would act on them), line breaks, and marks that change the text direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;

/**
 * Turns upstream text into one line that is safe to show anywhere: no control characters, no repeated blanks, no keys
 * or tokens, at most 2 KB of UTF-8.
 */
export function cleanText(text: string, maxBytes = MAX_BYTES): string {
	// The rest is cut off anyway, so there is no point in scanning a megabyte.
	const start = text.slice(0, maxBytes * 2);
	const line = start.replace(UNPRINTABLE, " ").replace(/\s+/g, " ").trim();
	return cutToBytes(maskSecrets(line), maxBytes);
}

function cutToBytes(text: string, maxBytes: number): string {
	const bytes = Buffer.from(text, "utf8");
	if (bytes.length <= maxBytes) return bytes.toString("utf8");
	let end = maxBytes;
	while (end > 0 && isContinuation(bytes[end])) end--;
	return bytes.toString("utf8", 0, end).trimEnd();
}

function isContinuation(byte: number | undefined): boolean {
	return byte !== undefined && (byte & 0xc0) === 0x80;
}
