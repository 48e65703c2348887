import { maskSecrets } from "../../text/mask-secrets.ts";
import { type ErrorDetail, GatewayError } from "../../turn/error.ts";
import type { ErrorKind } from "../../turn/error-kinds.ts";
import { WireError } from "../../wire/errors.ts";
import type { AuthResponse } from "./auth-response.ts";

const MAX_DETAIL_LENGTH = 300;

/** The error for a request that got no response. */
export function noResponse(error: unknown, origin: string): GatewayError {
	if (!(error instanceof WireError)) return new GatewayError("internal", undefined, { cause: error });
	switch (error.code) {
		case "aborted":
			return new GatewayError("cancelled", undefined, { cause: error });
		case "deadline-exceeded":
			return new GatewayError("upstream-timeout", `${origin} did not answer in time.`, { cause: error });
		case "body-too-large":
			return new GatewayError("upstream-protocol", undefined, { cause: error });
		case "bad-request":
			// The message of the cause could quote the header that contains the credential.
			return new GatewayError("invalid-request", "The credential contains characters that cannot be sent.", {
				nextStep: "Copy it again, without line breaks.",
			});
		default:
			return new GatewayError("upstream-unavailable", `${origin} cannot be reached.`, {
				detail: `${error.message}.`,
				cause: error,
			});
	}
}

/** The error for a response other than the expected one. */
export function refusedResponse(response: AuthResponse): GatewayError {
	const said = whatItSaid(response);
	if (isPolicyViolation(response)) {
		return new GatewayError("permission-denied", "Your organisation's sign-in policy refuses this login.", {
			detail: said,
			nextStep: "Ask the administrator of your team.",
		});
	}
	const [kind, message, nextStep] = meaningOf(response.status);
	const detail: ErrorDetail = { detail: said, nextStep };
	if (kind === "rate-limited") detail.retryAfterSeconds = retryAfter(response);
	return new GatewayError(kind, message, detail);
}

/** A refusal by the organisation, which no other call and no retry can change. */
export function isPolicyViolation(response: AuthResponse): boolean {
	return response.status === 403 && response.text.includes("sign_in_policy_violation");
}

function meaningOf(status: number): [ErrorKind, message?: string, nextStep?: string] {
	if (status === 401) return ["signed-out", "Cursor does not accept this credential."];
	if (status === 403) return ["permission-denied"];
	if (status === 404)
		return ["upstream-unavailable", "The upstream has no sign-in service at this address.", CHECK_URL];
	if (status === 429) return ["rate-limited"];
	if (status >= 500) return ["upstream-unavailable", `Cursor's sign-in service failed (status ${status}).`];
	if (status >= 300 && status < 400) {
		return [
			"upstream-unavailable",
			"The upstream redirects sign-in calls, and credentials are not sent elsewhere.",
			CHECK_URL,
		];
	}
	if (status >= 200 && status < 300) return ["upstream-protocol"];
	return ["upstream-error", `Cursor's sign-in service refused the call (status ${status}).`];
}

const CHECK_URL = "Check the upstream URL and the network (`cursorwire doctor`).";

function retryAfter({ headers }: AuthResponse): number | undefined {
	const seconds = Number(headers["retry-after"]);
	return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}

/** The readable part of a response. An HTML page (of a proxy or captive portal) is mentioned but not quoted. */
function whatItSaid({ json, text }: AuthResponse): string | undefined {
	const said = json === undefined ? text : messageOf(json);
	if (said === undefined || said.trim() === "") return undefined;
	if (/^\s*<|<\/?\w+[\s>]/.test(said)) return "It answered with an HTML page.";
	const line = readable(said);
	return line.length > MAX_DETAIL_LENGTH ? `${line.slice(0, MAX_DETAIL_LENGTH)}…` : line;
}

function messageOf(json: Readonly<Record<string, unknown>>): string | undefined {
	const inner = typeof json.error === "object" && json.error !== null ? (json.error as { message?: unknown }) : {};
	return [json.message, inner.message, json.error].find((value) => typeof value === "string");
}

/** The text in one line, without control characters for a terminal and without credentials. */
function readable(text: string): string {
	return maskSecrets(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")).trim();
}
