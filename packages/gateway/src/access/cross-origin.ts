import type { IncomingHttpHeaders } from "node:http";

/** What a page may read besides the body. */
const READABLE = [
	"x-request-id",
	"request-id",
	"retry-after",
	"x-cursorwire-path",
	"x-cursorwire-session",
	"x-cursorwire-warnings",
].join(", ");
const METHODS = "GET, POST, DELETE";
/** Browsers ask again after so many seconds, so that an origin that is no longer allowed loses its access. */
const REMEMBERED_SECONDS = "600";
const HEADER_NAMES = /^[\w-]+(?: *, *[\w-]+)*$/;

/** The headers that let a page of an allowed origin read an answer; none for anybody else. */
export function pageHeaders({ origin }: IncomingHttpHeaders, allowed: ReadonlySet<string>): Record<string, string> {
	if (origin === undefined || !allowed.has(origin)) return {};
	return { "access-control-allow-origin": origin, "access-control-expose-headers": READABLE, vary: "origin" };
}

/**
 * The further headers of the answer to a browser that asks on behalf of a page before it sends the page's request;
 * undefined where a request is no such question. It needs no key: a browser sends none with it.
 */
export function preflightHeaders(
	method: string | undefined,
	headers: IncomingHttpHeaders,
	allowed: ReadonlySet<string>,
): Record<string, string> | undefined {
	const isQuestion = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
	if (!isQuestion || headers.origin === undefined || !allowed.has(headers.origin)) return undefined;
	// Client libraries send headers of their own, and more with each release: none of them decides anything here.
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
