import { validateHeaderName, validateHeaderValue } from "node:http";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { describeCause, WireError } from "../errors.ts";
import type { WireRequest } from "../stream.ts";

const MOST_REMEMBERED = 256;
/** The newest legal value of each header, except a secret one: most are the same in every request. */
const legal = new Map<string, string>();
/** What Node assumes for POST anyway. Options cost it 5 µs, in which it fills in those that are missing. */
const KEEP_OPEN = { endStream: false };

/** Sends the headers of a request (RFC 9113 section 8.3.1). Throws a `WireError` if they cannot be sent. */
export function startRequest(session: ClientHttp2Session, request: WireRequest): ClientHttp2Stream {
	const { method = "POST" } = request;
	const headers: Record<string, string> = {
		":method": method,
		":path": request.path,
		":authority": request.origin.host,
	};
	try {
		for (const name in request.headers) {
			const value = request.headers[name] as string;
			if (legal.get(name) !== value) requireLegal(name, value);
			headers[name] = value;
		}
		return withoutSentHeaders(session.request(headers, method === "POST" ? undefined : KEEP_OPEN));
	} catch (cause) {
		throw new WireError("bad-request", describeCause(cause), { cause, safeToRetry: true });
	}
}

let sentHeadersKey: symbol | undefined;

/** Node keeps the headers for `sentHeaders`, which nobody reads: a kilobyte for as long as the stream is open. */
function withoutSentHeaders(stream: ClientHttp2Stream): ClientHttp2Stream {
	sentHeadersKey ??= Object.getOwnPropertySymbols(stream).find(({ description }) => description === "sent-headers");
	if (sentHeadersKey) (stream as unknown as Record<symbol, unknown>)[sentHeadersKey] = undefined;
	return stream;
}

/** For an invalid header name Node would destroy the session, and with it all other streams. */
function requireLegal(name: string, value: string): void {
	const isKnown = legal.has(name);
	if (!isKnown) validateHeaderName(name);
	validateHeaderValue(name, value);
	if (isKnown || legal.size < MOST_REMEMBERED) legal.set(name, name === "authorization" ? "" : value);
}
