import { type ErrorCause, LOGIN_REFUSED } from "./error-cause.ts";

const UPSTREAM_STEP = "Check the upstream address in the settings, and whether a proxy stands in between.";
const UNREACHABLE: ErrorCause = {
	kind: "upstream-unavailable",
	sentence: "Cursor's servers cannot serve the request now.",
	nextStep: "Wait and try again.",
};
const HTTP_VERSION: ErrorCause = {
	kind: "upstream-protocol",
	sentence: "Cursor's servers want another version of HTTP.",
	nextStep: "Try with `--http1`.",
};

/** Statuses whose body is not a Connect error: from load balancers, proxies and firewalls, and from the REST API. */
export const HTTP_STATUS_CAUSES: ReadonlyMap<number, ErrorCause> = new Map<number, ErrorCause>([
	[400, { kind: "invalid-request", sentence: "Cursor refuses the request as invalid." }],
	[401, LOGIN_REFUSED],
	[402, { kind: "quota-exhausted" }],
	[403, { kind: "permission-denied", sentence: "Cursor, or a firewall in between, refuses the request." }],
	[
		407,
		{
			kind: "upstream-unavailable",
			sentence: "The proxy wants a sign-in.",
			nextStep: "Put user and password into the proxy setting.",
		},
	],
	[408, { kind: "upstream-timeout" }],
	[413, { kind: "too-large", nextStep: "Send less." }],
	[421, HTTP_VERSION],
	[426, HTTP_VERSION],
	[429, { kind: "rate-limited" }],
	[451, { kind: "region-unsupported" }],
	[464, HTTP_VERSION],
	[499, { kind: "cancelled" }],
	[501, { kind: "upstream-deprecated", sentence: "Cursor does not serve this call." }],
	[502, UNREACHABLE],
	[503, UNREACHABLE],
	[504, { kind: "upstream-timeout" }],
	[505, HTTP_VERSION],
	[521, UNREACHABLE],
	[522, UNREACHABLE],
	[523, UNREACHABLE],
	[524, { kind: "upstream-timeout" }],
	[530, UNREACHABLE],
]);

/** The cause that a status alone suggests, for any number. */
export function causeOfStatus(status: number): ErrorCause {
	const known = HTTP_STATUS_CAUSES.get(status);
	if (known) return known;
	if (status >= 500 && status <= 599) return { kind: "upstream-error" };
	if (status >= 300 && status <= 399) {
		return {
			kind: "upstream-protocol",
			sentence: "The upstream sends the request elsewhere, which the gateway does not follow with your login.",
			nextStep: UPSTREAM_STEP,
		};
	}
	return {
		kind: "upstream-protocol",
		sentence: "The upstream does not answer like Cursor's backend.",
		nextStep: UPSTREAM_STEP,
	};
}
