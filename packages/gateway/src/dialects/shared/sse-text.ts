import { jsonPieces } from "../../text/json-pieces.ts";
import { wellFormed } from "./well-formed.ts";

/** Line breaks for readers that split text by Unicode's rules, like Python's `splitlines`. JSON does not escape them. */
const UNUSUAL_LINE_BREAKS = /[\u0085\u2028\u2029]/g;
const NEEDS_CARE = /[\u0085\u2028\u2029\ud800-\udfff]/;
/** What cannot stand between quotes as it is: what JSON escapes, and what needs care here. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const NOT_PLAIN = /[\u0000-\u001f"\\\u0085\u2028\u2029\ud800-\udfff]/;

/**
 * A text as JSON that is safe in an event stream: no line break of any kind, no half of a surrogate pair. For templates
 * that are otherwise ready, which is several times faster than to stringify a whole event.
 */
export function jsonText(text: string): string {
	// To look for escapes is several times faster than to call `JSON.stringify`, and most texts have none.
	if (!NOT_PLAIN.test(text)) return `"${text}"`;
	if (!NEEDS_CARE.test(text)) return JSON.stringify(text);
	return escapeLineBreaks(JSON.stringify(wellFormed(text)));
}

/** One event without a name, from a value whose texts are well-formed. */
export function dataEvent(value: unknown): string {
	return `data: ${escapeLineBreaks(JSON.stringify(value))}\n\n`;
}

/** The same in pieces, of which none is long. */
export function* dataEventPieces(value: unknown): Generator<string, void, undefined> {
	yield "data: ";
	for (const piece of jsonPieces(value)) yield escapeLineBreaks(piece);
	yield "\n\n";
}

function escapeLineBreaks(json: string): string {
	return json.replace(
		UNUSUAL_LINE_BREAKS,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}
