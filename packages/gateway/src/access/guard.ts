import { GatewayError } from "../turn/error.ts";

/** The start of a request exactly as received, before anything has interpreted it. */
export interface RequestHead {
	method: string;
	/** The request target, unchanged. */
	target: string;
	/** Names and values alternate. Node's parsed form does not suffice, because it hides repeated headers. */
	rawHeaders: readonly string[];
}

export interface GuardedRequest extends RequestHead {
	/** The values of the Host header that mean this gateway. */
	allowedHosts: ReadonlySet<string>;
	/** The origins of web pages that may use the gateway. There are none unless the owner configures them. */
	allowedOrigins?: ReadonlySet<string>;
}

/** The headers that are checked here. Each may occur only once: a proxy might believe another value than we do. */
const DECIDING = [
	"host",
	"origin",
	"sec-fetch-site",
	"content-type",
	"content-encoding",
	"content-length",
	"transfer-encoding",
	"authorization",
	"x-api-key",
] as const;
type Deciding = (typeof DECIDING)[number];
type Headers = Partial<Record<Deciding, string>>;

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];
const BODILESS = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);
const LONGEST_KEY = 8192;
/** Clients without a token send the word alone, next to an x-api-key. */
const BEARER = /^bearer(?: +\S+| *)$/i;

/**
 * The values of the Host header that mean this gateway. An attacker's name that resolves to this machine (DNS
 * rebinding) is not among them. `names` are the names by which other machines reach this one, if it listens for them.
 */
export function allowedHosts(port: number, names: readonly string[] = []): ReadonlySet<string> {
	const hosts = [...LOOPBACK_NAMES, ...names.map((name) => (name.includes(":") ? `[${name}]` : name))];
	return new Set(hosts.flatMap((host) => (port === 80 ? [host, `${host}:80`] : [`${host}:${port}`])));
}

/**
 * Why the gateway refuses a request no matter who sends it, or undefined if it does not. Passing this check grants
 * nothing: the sender chooses its headers freely, so they can only count against a request.
 */
export function checkRequest(request: GuardedRequest): GatewayError | undefined {
	const { values, repeated } = decidingHeaders(request.rawHeaders);
	if (repeated[0]) return new GatewayError("invalid-request", `The header ${repeated[0]} came more than once.`);
	const isAllowedPage = values.origin !== undefined && request.allowedOrigins?.has(values.origin) === true;
	const pageRefusal = isAllowedPage ? undefined : checkBrowser(values);
	return checkAddress(request, values) ?? pageRefusal ?? checkBody(request.method, values);
}

/** Requests that reveal no more than that a gateway is running here. */
const PUBLIC: readonly string[] = ["GET /healthz", "HEAD /api/hello"];

/** Whether a request needs no key. Compared as text: another spelling of the same path does need one. */
export function isPublic({ method, target }: Pick<RequestHead, "method" | "target">): boolean {
	return PUBLIC.includes(`${method} ${target}`);
}

/**
 * The key that a client presents, as a bearer token or in x-api-key. If it sends both, they have to be equal. A key in
 * the query is ignored, because URLs end up in logs and histories.
 */
export function presentedKey(rawHeaders: readonly string[]): string | GatewayError | undefined {
	const { values, repeated } = decidingHeaders(rawHeaders);
	const twice = repeated.find((name) => name === "authorization" || name === "x-api-key");
	if (twice) return badKey(`The header ${twice} came more than once.`);
	const { authorization, "x-api-key": apiKey } = values;
	if (authorization && !BEARER.test(authorization)) {
		return badKey("The header authorization does not hold a bearer token.");
	}
	const token = authorization?.slice("bearer".length).trimStart();
	if (token && apiKey && token !== apiKey) {
		return badKey("The headers authorization and x-api-key hold different keys.");
	}
	const key = token || apiKey || undefined;
	if (key && (key.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(key))) return badKey();
	return key;
}

interface DecidingHeaders {
	values: Headers;
	repeated: readonly Deciding[];
}

const NONE: readonly Deciding[] = [];
/** Of the newest request: one is asked about several times in a row. */
let newest: { rawHeaders: readonly string[]; headers: DecidingHeaders } | undefined;

function decidingHeaders(rawHeaders: readonly string[]): DecidingHeaders {
	if (newest?.rawHeaders !== rawHeaders) newest = { rawHeaders, headers: readDeciding(rawHeaders) };
	return newest.headers;
}

function readDeciding(rawHeaders: readonly string[]): DecidingHeaders {
	const values: Headers = {};
	let repeated = NONE;
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]!.toLowerCase();
		// Only known names become properties: a header may be called `__proto__`.
		if (!isDeciding(name)) continue;
		if (values[name] !== undefined) repeated = [...repeated, name];
		values[name] = rawHeaders[index + 1]!;
	}
	return { values, repeated };
}

const isDeciding = (name: string): name is Deciding => (DECIDING as readonly string[]).includes(name);

function checkAddress({ target, allowedHosts: hosts }: GuardedRequest, { host }: Headers): GatewayError | undefined {
	// A request with a full URL as its target names two hosts.
	if (!target.startsWith("/")) return new GatewayError("forbidden", "The request target must be a path.");
	if (host === undefined) return new GatewayError("invalid-request", "The request has no Host header.");
	if (hosts.has(host)) return undefined;
	return new GatewayError("forbidden", "The Host header does not name this gateway.", {
		nextStep: `Call it as ${[...hosts].join(", ")}.`,
	});
}

/** A page may call the gateway that served it. Any other page may only do so if its origin is allowed. */
function checkBrowser({ host, origin, "sec-fetch-site": site }: Headers): GatewayError | undefined {
	const isOtherPage = origin !== undefined && origin !== `http://${host}`;
	const isOtherSite = site !== undefined && site !== "none" && site !== "same-origin";
	return isOtherPage || isOtherSite ? fromWebPage() : undefined;
}

const fromWebPage = (): GatewayError =>
	new GatewayError("forbidden", "The gateway takes no requests from web pages.", {
		nextStep: "Call it from a program, or name the page's origin in the setting allowOrigins.",
	});

/** Only JSON is accepted: what a page can send without a preflight request (text, forms) is always refused. */
function checkBody(method: string, headers: Headers): GatewayError | undefined {
	const encoding = headers["content-encoding"];
	if (encoding !== undefined && encoding.toLowerCase() !== "identity") return new GatewayError("unsupported-media");
	const transfer = headers["transfer-encoding"];
	if (transfer !== undefined && transfer.toLowerCase() !== "chunked") return new GatewayError("unsupported-media");
	if (transfer !== undefined && headers["content-length"] !== undefined) {
		return new GatewayError("invalid-request", "The request states its length in two ways.");
	}
	if (BODILESS.has(method) || isJson(headers["content-type"])) return undefined;
	return new GatewayError("unsupported-media");
}

function isJson(contentType = ""): boolean {
	if (contentType === "application/json") return true;
	const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
	const charset = parameters.find((parameter) => parameter.startsWith("charset="));
	return type === "application/json" && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

const badKey = (message?: string): GatewayError => new GatewayError("bad-key", message);
