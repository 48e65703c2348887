import { validateHeaderName, validateHeaderValue } from "node:http";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { describeCause, WireError } from "../errors.ts";
import type { WireRequest } from "../stream.ts";

const MOST_NAMES = 256;
/** The same few names come with every request. */
const legalNames = new Set<string>();

/** Sends the headers of a request. Throws a `WireError` if they cannot be sent. */
export function startRequest(session: ClientHttp2Session, request: WireRequest): ClientHttp2Stream {
	const target = {
		":method": request.method ?? "POST",
		":path": request.path,
		":authority": request.origin.host,
	};
	try {
		// Node answers a bad header name by destroying the session, and with it the streams of everybody else.
		for (const [name, value] of Object.entries(request.headers)) {
			if (!legalNames.has(name)) {
				validateHeaderName(name);
				if (legalNames.size < MOST_NAMES) legalNames.add(name);
			}
			validateHeaderValue(name, value);
		}
		return session.request({ ...target, ...request.headers }, { endStream: false });
	} catch (cause) {
		throw new WireError("bad-request", describeCause(cause), { cause, safeToRetry: true });
	}
}
