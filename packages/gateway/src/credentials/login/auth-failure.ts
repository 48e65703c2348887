import { maskSecrets } from "../../text/mask-secrets.ts";
import { type ErrorDetail, GatewayError } from "../../turn/error.ts";
import type { ErrorKind } from "../../turn/error-kinds.ts";
import { WireError } from "../../wire/errors.ts";
import type { AuthAnswer } from "./auth-response.ts";

const LONGEST_DETAIL = 300;

/** The error for a request that got no answer. */
export function noAnswer(error: unknown, origin: string): GatewayError {
	if (!(error instanceof WireError)) return new GatewayError("internal", undefined, { cause: error });
	switch (error.code) {
		case "aborted":
			return new GatewayError("cancelled", undefined, { cause: error });
		case "deadline-exceeded":
			return new GatewayError("upstream-timeout", `${origin} did not answer in time.`, { cause: error });
		case "body-too-large":
			return new GatewayError("upstream-protocol", undefined, { cause: error });
		case "bad-request":
			// The text of the cause could quote the header that holds the credential.
			return new GatewayError("invalid-request", "The credential holds characters that cannot be sent.", {
				nextStep: "Copy it again, without line breaks.",
			});
		default:
			return new GatewayError("upstream-unavailable", `${origin} cannot be reached.`, {
				detail: `${error.message}.`,
				cause: error,
			});
	}
}

/** The error for an answer that is not the one hoped for. */
export function refusedAnswer(answer: AuthAnswer): GatewayError {
	const said = whatItSaid(answer);
	if (isPolicyViolation(answer)) {
		return new GatewayError("permission-denied", "Your organisation's sign-in policy refuses this login.", {
			detail: said,
			nextStep: "Ask the administrator of your team.",
		});
	}
	const [kind, message, nextStep] = meaningOf(answer.status);
	const detail: ErrorDetail = { detail: said, nextStep };
	if (kind === "rate-limited") detail.retryAfterSeconds = retryAfter(answer);
	return new GatewayError(kind, message, detail);
}

/** A refusal by the organisation: no other call, and no second try, can get around it. */
export function isPolicyViolation(answer: AuthAnswer): boolean {
	return answer.status === 403 && answer.text.includes("sign_in_policy_violation");
}

function meaningOf(status: number): [ErrorKind, message?: string, nextStep?: string] {
	if (status === 401) return ["signed-out", "Cursor does not accept this credential."];
	if (status === 403) return ["permission-denied"];
	if (status === 404)
		return ["upstream-unavailable", "The upstream has no sign-in service at this address.", CHECK_URL];
	if (status === 429) return ["rate-limited"];
	if (status >= 500) return ["upstream-unavailable", `Cursor's sign-in service fails (status ${status}).`];
	if (status >= 300 && status < 400) {
		return ["upstream-unavailable", "The upstream sends sign-in calls elsewhere, and tokens do not follow.", CHECK_URL];
	}
	if (status >= 200 && status < 300) return ["upstream-protocol"];
	return ["upstream-error", `Cursor's sign-in service refuses the call (status ${status}).`];
}

const CHECK_URL = "Check the upstream URL and the network (`cursorwire doctor`).";

function retryAfter({ headers }: AuthAnswer): number | undefined {
	const seconds = Number(headers["retry-after"]);
	return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}

/** The readable part of an answer. A page (of a proxy, a captive portal) is named, never shown. */
function whatItSaid({ json, text }: AuthAnswer): string | undefined {
	const said = json === undefined ? text : messageOf(json);
	if (said === undefined || said.trim() === "") return undefined;
	if (/^\s*<|<\/?\w+[\s>]/.test(said)) return "It answered with an HTML page.";
	const line = readable(said);
	return line.length > LONGEST_DETAIL ? `${line.slice(0, LONGEST_DETAIL)}…` : line;
}

function messageOf(json: Readonly<Record<string, unknown>>): string | undefined {
	const inner = typeof json.error === "object" && json.error !== null ? (json.error as { message?: unknown }) : {};
	return [json.message, inner.message, json.error].find((value) => typeof value === "string");
}

/** On one line, without characters that a terminal would act on, and without a credential that it may quote. */
function readable(text: string): string {
	return maskSecrets(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")).trim();
}
