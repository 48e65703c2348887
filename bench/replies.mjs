// The text of the fake upstream's replies, for the upstream that sends it and the load that checks it.

export const DELTA_CHARACTERS = 20;

const deltaText = (index) =>
	`~word${index % 1000} lorem ipsum dolor`.slice(0, DELTA_CHARACTERS).padEnd(DELTA_CHARACTERS, ".");

/** The deltas of a reply. Nothing in them needs a JSON escape, so that a check can compare bytes. */
export const replyDeltas = (count) => Array.from({ length: count }, (_, index) => deltaText(index));

/** A delta with the time when it was sent, to measure latency between processes. */
export const stampedDelta = (microseconds) => `@${String(Math.round(microseconds)).padStart(16, "0")}...`;

/** When a stamped delta that starts at `at` was sent. */
export const readStamp = (text, at) => Number(text.slice(at + 1, at + 17));

/** `size` characters of prose, some of which JSON has to escape or UTF-8 encodes in several bytes. */
export function prose(size) {
	const line = 'A fox of "quick" habits jumps C:\\over\\ the lazy dog; línea ñandú, naïve café.\n';
	return line.repeat(Math.ceil(size / line.length)).slice(0, size);
}
