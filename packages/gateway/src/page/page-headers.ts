/** What the page may load and do: only what this gateway serves, and nothing that is written into the page itself. */
const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"connect-src 'self'",
	"img-src 'self'",
	"font-src 'self'",
	"frame-ancestors 'none'",
	"base-uri 'none'",
	"form-action 'none'",
	"require-trusted-types-for 'script'",
].join("; ");

const SAFE_HEADERS = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };

export const ASSET_HEADERS: Readonly<Record<string, string>> = {
	...SAFE_HEADERS,
	"content-security-policy": POLICY,
	// It is kept, and asked for again each time: the gateway may have been replaced by a newer one.
	"cache-control": "no-cache",
	vary: "accept-encoding",
};

export const DATA_HEADERS: Readonly<Record<string, string>> = { ...SAFE_HEADERS, "cache-control": "no-store" };
