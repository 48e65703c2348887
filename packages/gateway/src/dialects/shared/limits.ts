import { BACKSLASH, CASE_BIT, CLOSING, COMMA, OPENING, QUOTE } from "../json/json-bytes.ts";
import { invalid } from "./invalid.ts";

/** Far beyond any real request; what lies behind them is an accident or an attack. */
export const MAX_JSON_DEPTH = 128;
export const MAX_JSON_NODES = 1_000_000;
export const MAX_MESSAGES = 65_536;
export const MAX_TOOLS = 512;
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** Of all tools of a request, in characters of JSON: they are hashed and written out with every request. */
export const MAX_TOOLS_LENGTH = 4 << 20;
/** Parts or calls of one message. */
export const MAX_PARTS = 16_384;
export const MAX_STOP_SEQUENCES = 16;
/** Every character of an answer is compared with all of them. */
export const MAX_STOP_LENGTH = 1_024;
/** Each choice is a run of its own upstream. */
export const MAX_CHOICES = 8;

/** What function tools may be called, by every API and the upstream. */
export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Refuses JSON that is nested too deep or has too many values, before anything is parsed: parsing ten million numbers
 * stops the process for a third of a second. Whether it is JSON at all is not looked at.
 */
export function checkJsonLimits(bytes: Uint8Array): void {
	let depth = 0;
	let nodes = 1;
	for (let index = 0; index < bytes.length; index++) {
		const byte = bytes[index] as number;
		if (byte === QUOTE) {
			index = endOfString(bytes, index + 1);
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

function endOfString(bytes: Uint8Array, start: number): number {
	let index = start;
	while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
	return index;
}
