import { invalid } from "../shared/invalid.ts";
import { CASE_BIT, CLOSING, COMMA, OPENING, QUOTE } from "./json-bytes.ts";
import { closingQuote } from "./json-strings.ts";
import type { ListItems } from "./list-items.ts";

/** Far beyond any real request; whatever exceeds them is an accident or an attack. */
export const MAX_JSON_DEPTH = 128;
export const MAX_JSON_NODES = 1_000_000;

/** Where a look at JSON begins, and what came before. */
interface JsonPlace {
	index: number;
	depth: number;
	nodes: number;
}

const BEGINNING: JsonPlace = { index: 0, depth: 0, nodes: 1 };

/**
 * Refuses JSON that is nested too deep or has too many values, before anything is parsed: parsing ten million numbers
 * stops the process for a third of a second. Whether it is JSON at all is not looked at. `items` hears of what is in the
 * lists of the body.
 */
export function checkJsonLimits(bytes: Buffer, items?: ListItems, { index: start, ...place } = BEGINNING): void {
	let { depth, nodes } = place;
	for (let index = start; index < bytes.length; index++) {
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
			if (depth === 2) items?.opens(bytes, index);
		} else if ((byte | CASE_BIT) === CLOSING && --depth === 2) items?.itemEnds(index + 1, nodes);
		if (nodes > MAX_JSON_NODES) throw invalid("", `holds more than ${MAX_JSON_NODES} values`);
	}
}
