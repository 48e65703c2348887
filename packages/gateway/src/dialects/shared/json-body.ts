import { isUtf8 } from "node:buffer";
import { GatewayError } from "../../turn/error.ts";
import { checkJsonLimits } from "./limits.ts";

/** The JSON value of a request body, or the error that says why there is none. The one door for bodies. */
export function parseJsonBody(bytes: Uint8Array): unknown {
	const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	if (body.length === 0) throw unreadable("The body is empty.");
	if (!isUtf8(body)) throw unreadable("The body is not valid UTF-8.");
	checkJsonLimits(body);
	try {
		return JSON.parse(body.toString("utf8", hasByteOrderMark(body) ? 3 : 0));
	} catch (cause) {
		throw unreadable("The body is not valid JSON.", cause);
	}
}

function hasByteOrderMark(body: Buffer): boolean {
	return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

function unreadable(sentence: string, cause?: unknown): GatewayError {
	return new GatewayError("invalid-request", sentence, { cause });
}
