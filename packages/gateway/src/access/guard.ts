import { GatewayError } from "../turn/error.ts";

/** The start of a request as it came, before anything has interpreted it. */
export interface RequestHead {
	method: string;
	/** The request target, unchanged. */
	target: string;
	/** Names and values in turn. The parsed form will not do: it hides repeated headers. */
	rawHeaders: readonly string[];
}

export interface GuardedRequest extends RequestHead {
	/** Values of Host under which the gateway is known. */
	allowedHosts: ReadonlySet<string>;
	/** Origins of pages that may use the gateway; none unless the owner names them. */
	allowedOrigins?: ReadonlySet<string>;
}

/** The headers that decide here. Each may come once: of two values, a proxy and we might believe different ones. */
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

/**
 * Every value of Host that is ours: an attacker's name that leads to this machine (DNS rebinding) is not among them.
 * `names` are those under which other machines know this one, where it listens for them.
 */
export function allowedHosts(port: number, names: readonly string[] = []): ReadonlySet<string> {
	const hosts = [...LOOPBACK_NAMES, ...names.map((name) => (name.includes(":") ? `[${name}]` : name))];
	return new Set(hosts.flatMap((host) => (port === 80 ? [host, `${host}:80`] : [`${host}:${port}`])));
}

/**
 * Whether the gateway takes a request at all, whoever sends it; undefined says it does. Nothing here lets anyone in:
 * headers are the sender's to choose, so they can only speak against a request.
 */
export function checkRequest(request: GuardedRequest): GatewayError | undefined {
	const { values, repeated } = decidingHeaders(request.rawHeaders);
	if (repeated[0]) return new GatewayError("invalid-request", `The header ${repeated[0]} came more than once.`);
	const isAllowedPage = values.origin !== undefined && request.allowedOrigins?.has(values.origin) === true;
	const pageRefusal = isAllowedPage ? undefined : checkBrowser(values);
	return checkAddress(request, values) ?? pageRefusal ?? checkBody(request.method, values);
}

/** Requests that tell no more than that a gateway is here. */
const PUBLIC: readonly string[] = ["GET /healthz", "HEAD /api/hello"];

/** Whether a request needs no key. Compared as text: a path that only amounts to the same needs one. */
export function isPublic({ method, target }: Pick<RequestHead, "method" | "target">): boolean {
	return PUBLIC.includes(`${method} ${target}`);
}

/**
 * The key a client shows, as a bearer token or in x-api-key; a client that sends both has to mean the same one. A key
 * in the query is not looked for: addresses end up in logs and histories.
 */
export function presentedKey(rawHeaders: readonly string[]): string | GatewayError | undefined {
	const { values, repeated } = decidingHeaders(rawHeaders);
	const twice = repeated.find((name) => name === "authorization" || name === "x-api-key");
	if (twice) return badKey(`The header ${twice} came more than once.`);
	const { authorization, "x-api-key": apiKey } = values;
	// Clients without a token of their own send the word alone, beside an x-api-key.
	const bearer = authorization && /^bearer(?: +(\S+)| *)$/i.exec(authorization);
	if (authorization && !bearer) return badKey("The header authorization does not hold a bearer token.");
	const token = bearer ? bearer[1] : undefined;
	if (token && apiKey && token !== apiKey) {
		return badKey("The headers authorization and x-api-key hold different keys.");
	}
	const key = token || apiKey || undefined;
	if (key && (key.length > LONGEST_KEY || !/^[\x21-\x7e]+$/.test(key))) return badKey();
	return key;
}

function decidingHeaders(rawHeaders: readonly string[]): { values: Headers; repeated: Deciding[] } {
	const values: Headers = {};
	const repeated: Deciding[] = [];
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]!.toLowerCase();
		// Only known names become properties: a header may be called `__proto__`.
		if (!isDeciding(name)) continue;
		if (values[name] !== undefined) repeated.push(name);
		values[name] = rawHeaders[index + 1]!;
	}
	return { values, repeated };
}

const isDeciding = (name: string): name is Deciding => (DECIDING as readonly string[]).includes(name);

function checkAddress({ target, allowedHosts: hosts }: GuardedRequest, { host }: Headers): GatewayError | undefined {
	// With a whole URL as its target a request names two hosts.
	if (!target.startsWith("/")) return new GatewayError("forbidden", "The request target has to be a path.");
	if (host === undefined) return new GatewayError("invalid-request", "The request has no Host header.");
	if (hosts.has(host)) return undefined;
	return new GatewayError("forbidden", "The Host header does not name this gateway.", {
		nextStep: `Call it as ${[...hosts].join(", ")}.`,
	});
}

/** A page may talk to the gateway it came from, and no other page may unless its origin is allowed. */
function checkBrowser({ host, origin, "sec-fetch-site": site }: Headers): GatewayError | undefined {
	if (origin !== undefined && origin !== `http://${host}`) {
		return new GatewayError("forbidden", "The gateway takes no requests from web pages.");
	}
	if (site !== undefined && site !== "none" && site !== "same-origin") {
		return new GatewayError("forbidden", "The gateway takes no requests from web pages.");
	}
	return undefined;
}

/** JSON and nothing else: what a page can send without asking first (text, forms) never counts as a request. */
function checkBody(method: string, headers: Headers): GatewayError | undefined {
	const encoding = headers["content-encoding"];
	if (encoding !== undefined && encoding.toLowerCase() !== "identity") return new GatewayError("unsupported-media");
	const transfer = headers["transfer-encoding"];
	if (transfer !== undefined && transfer.toLowerCase() !== "chunked") return new GatewayError("unsupported-media");
	if (transfer !== undefined && headers["content-length"] !== undefined) {
		return new GatewayError("invalid-request", "The request gives its length in two ways.");
	}
	if (BODILESS.has(method) || isJson(headers["content-type"])) return undefined;
	return new GatewayError("unsupported-media");
}

function isJson(contentType = ""): boolean {
	const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
	const charset = parameters.find((parameter) => parameter.startsWith("charset="));
	return type === "application/json" && (charset === undefined || /^charset="?utf-?8"?$/.test(charset));
}

const badKey = (message?: string): GatewayError => new GatewayError("bad-key", message);
