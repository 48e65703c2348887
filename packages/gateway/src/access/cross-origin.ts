import type { IncomingHttpHeaders } from "node:http";

/** The response headers that a page may read. */
const READABLE = [
	"x-request-id",
	"request-id",
	"retry-after",
	"x-cursorwire-path",
	"x-cursorwire-session",
	"x-cursorwire-warnings",
].join(", ");
const METHODS = "GET, POST, DELETE";
/** Browsers ask again after this time, so an origin that is no longer allowed soon loses its access. */
const REMEMBERED_SECONDS = "600";
const HEADER_NAMES = /^[\w-]+(?: *, *[\w-]+)*$/;

/** The headers that let a page from an allowed origin read a response. Empty for every other request. */
export function pageHeaders({ origin }: IncomingHttpHeaders, allowed: ReadonlySet<string>): Record<string, string> {
	if (origin === undefined || !allowed.has(origin)) return {};
	return { "access-control-allow-origin": origin, "access-control-expose-headers": READABLE, vary: "origin" };
}

/**
 * The additional headers of the response to a CORS preflight request, or undefined if the request is not one. A
 * preflight request needs no key, because browsers do not send one with it.
 */
export function preflightHeaders(
	method: string | undefined,
	headers: IncomingHttpHeaders,
	allowed: ReadonlySet<string>,
): Record<string, string> | undefined {
	const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
	if (!isPreflight || headers.origin === undefined || !allowed.has(headers.origin)) return undefined;
	// Client libraries send headers of their own, more with each release. None of them grants anything, so all may pass.
	const wanted = String(headers["access-control-request-headers"] ?? "");
	return {
		"access-control-allow-methods": METHODS,
		"access-control-max-age": REMEMBERED_SECONDS,
		...(HEADER_NAMES.test(wanted) && { "access-control-allow-headers": wanted }),
		...(headers["access-control-request-private-network"] === "true" && {
			"access-control-allow-private-network": "true",
		}),
	};
}
