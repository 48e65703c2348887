import { BACKSLASH, QUOTE } from "./json-bytes.ts";

const SMALL_U = 0x75;
/** `\u0000`, the longest escape. */
export const LONGEST_ESCAPE = 6;

/** The quote that ends a string, searched from a place in it that is not inside an escape; -1 if there is none. */
export function closingQuote(bytes: Buffer, start: number): number {
	for (let from = start; ; ) {
		const quote = bytes.indexOf(QUOTE, from);
		if (quote < 0 || !isEscaped(bytes, from, quote)) return quote;
		from = quote + 1;
	}
}

/** Whether the byte at a place belongs to an escape that began before it. No escape may reach over `from`. */
export function isEscaped(bytes: Buffer, from: number, at: number): boolean {
	let first = at;
	while (first > from && bytes[first - 1] === BACKSLASH) first--;
	return (at - first) % 2 === 1;
}

/**
 * A place at `at` or a little behind it where a string can be cut: in no character and in no escape. No escape of two
 * bytes may reach over `from`, and none of six if that is near.
 */
export function cutNear(bytes: Buffer, from: number, at: number): number {
	let cut = endOfEscape(bytes, from, at);
	while (((bytes[cut] as number) & 0xc0) === 0x80) cut++;
	return cut;
}

/** The end of the escape that a place is in; the place itself if it is in none. */
function endOfEscape(bytes: Buffer, from: number, at: number): number {
	for (let before = at - 1; before >= from && before > at - LONGEST_ESCAPE; before--) {
		if (bytes[before] !== BACKSLASH || isEscaped(bytes, from, before)) continue;
		return Math.max(at, before + (bytes[before + 1] === SMALL_U ? LONGEST_ESCAPE : 2));
	}
	return at;
}
