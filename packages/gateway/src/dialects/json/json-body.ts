import { isUtf8 } from "node:buffer";
import { jsonPlace } from "../../text/json-place.ts";
import { utf8Text } from "../../text/utf8-text.ts";
import { type Clock, systemClock } from "../../time/clock.ts";
import { inSlices } from "../../time/slices.ts";
import { GatewayError } from "../../turn/error.ts";
import { checkJsonLimits } from "./json-limits.ts";
import { parseInSlices } from "./json-slices.ts";
import { KnownBodies, SHORTEST_KNOWN } from "./known-bodies.ts";

/** A body of this size is parsed within a few milliseconds; larger ones are cut. */
export const PARSED_AT_ONCE = 1 << 20;
/** Larger ones are parsed one after another, because each needs several times its size in memory. */
export const PARSED_ALONE = 4 << 20;

/** The JSON value of a request body, or the error that says why there is none. */
export function parseJsonBody(bytes: Uint8Array): unknown {
	const body = jsonText(bytes);
	checkJsonLimits(body);
	const text = utf8Text(body);
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw notJson(cause, jsonPlace(cause, text));
	}
}

/**
 * Parses the bodies of all requests: the same, but other requests do not have to wait for a large body, and what a caller
 * has sent before is not parsed again.
 */
export function jsonBodyParser(
	clock: Clock = systemClock,
): (bytes: Uint8Array, caller?: string) => unknown | Promise<unknown> {
	const known = new KnownBodies(clock);
	let last: Promise<unknown> = Promise.resolve();
	return (bytes, caller) => {
		if (bytes.length < SHORTEST_KNOWN) return parseJsonBody(bytes);
		if (bytes.length <= PARSED_AT_ONCE) return caller ? parseKnownBody(bytes, caller, known) : parseJsonBody(bytes);
		if (bytes.length <= PARSED_ALONE) return parseLargeBody(bytes);
		const parsed = last.then(() => parseLargeBody(bytes));
		last = parsed.catch(() => {});
		return parsed;
	};
}

function parseKnownBody(bytes: Uint8Array, caller: string, known: KnownBodies): unknown {
	const body = jsonText(bytes);
	try {
		return known.parse(body, caller);
	} catch (cause) {
		throw cause instanceof SyntaxError ? notJson(cause) : cause;
	}
}

async function parseLargeBody(bytes: Uint8Array): Promise<unknown> {
	const body = jsonText(bytes);
	try {
		return await inSlices(parseInSlices(body));
	} catch (cause) {
		throw cause instanceof SyntaxError ? notJson(cause) : cause;
	}
}

/** The bytes of the JSON text, a mark at their beginning left out. */
function jsonText(bytes: Uint8Array): Buffer {
	const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	if (body.length === 0) throw unreadable("The body is empty.");
	if (!isUtf8(body)) throw unreadable("The body is not valid UTF-8.");
	return hasByteOrderMark(body) ? body.subarray(3) : body;
}

const notJson = (cause: unknown, place = "") =>
	unreadable(`The body is not valid JSON${place && `: ${place}`}.`, cause);

function hasByteOrderMark(body: Buffer): boolean {
	return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

function unreadable(sentence: string, cause?: unknown): GatewayError {
	return new GatewayError("invalid-request", sentence, { cause });
}
