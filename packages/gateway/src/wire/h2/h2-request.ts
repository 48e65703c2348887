import { validateHeaderName, validateHeaderValue } from "node:http";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { describeCause, WireError } from "../errors.ts";
import type { WireRequest } from "../stream.ts";

const MAX_CACHED_NAMES = 256;
/** A cache: every request has the same few header names. */
const legalNames = new Set<string>();

/** Sends the headers of a request (RFC 9113 section 8.3.1). Throws a `WireError` if they cannot be sent. */
export function startRequest(session: ClientHttp2Session, request: WireRequest): ClientHttp2Stream {
	const target = {
		":method": request.method ?? "POST",
		":path": request.path,
		":authority": request.origin.host,
	};
	try {
		// For an invalid header name Node would destroy the session, and with it all other streams.
		for (const [name, value] of Object.entries(request.headers)) {
			if (!legalNames.has(name)) {
				validateHeaderName(name);
				if (legalNames.size < MAX_CACHED_NAMES) legalNames.add(name);
			}
			validateHeaderValue(name, value);
		}
		return session.request({ ...target, ...request.headers }, { endStream: false });
	} catch (cause) {
		throw new WireError("bad-request", describeCause(cause), { cause, safeToRetry: true });
	}
}
