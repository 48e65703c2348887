import { invalid } from "../shared/invalid.ts";
import { CASE_BIT, CLOSING, COMMA, OPENING, QUOTE } from "./json-bytes.ts";
import { closingQuote } from "./json-strings.ts";

/** Far beyond any real request; whatever exceeds them is an accident or an attack. */
export const MAX_JSON_DEPTH = 128;
export const MAX_JSON_NODES = 1_000_000;

/**
 * Refuses JSON that is nested too deep or has too many values, before anything is parsed: parsing ten million numbers
 * stops the process for a third of a second. Whether it is JSON at all is not looked at.
 */
export function checkJsonLimits(bytes: Buffer): void {
	let depth = 0;
	let nodes = 1;
	for (let index = 0; index < bytes.length; index++) {
		const byte = bytes[index] as number;
		if (byte === QUOTE) {
			index = closingQuote(bytes, index + 1);
			if (index < 0) return;
			continue;
		}
		if (byte === COMMA) nodes++;
		else if ((byte | CASE_BIT) === OPENING) {
			nodes++;
			if (++depth > MAX_JSON_DEPTH) throw invalid("", `is nested deeper than ${MAX_JSON_DEPTH} levels`);
		} else if ((byte | CASE_BIT) === CLOSING) depth--;
		if (nodes > MAX_JSON_NODES) throw invalid("", `holds more than ${MAX_JSON_NODES} values`);
	}
}
