import { GatewayError, toGatewayError } from "../../turn/error.ts";
import { WireError, type WireErrorCode } from "../../wire/errors.ts";
import { cleanText } from "./clean-text.ts";
import type { ErrorCause } from "./error-cause.ts";

const PROTOCOL: ErrorCause = { kind: "upstream-protocol" };
const UNREACHABLE: ErrorCause = { kind: "upstream-unavailable" };
const CUT: ErrorCause = { kind: "upstream-reset" };
const NO_HTTP2: ErrorCause = {
	kind: "upstream-unavailable",
	sentence: "The network does not let HTTP/2 through.",
	nextStep: "Try with `--http1`.",
};

/** Every way the transport can fail. docs/errors.md lists this table. */
export const WIRE_ERROR_CAUSES: Readonly<Record<WireErrorCode, ErrorCause>> = {
	"frame-too-large": PROTOCOL,
	"truncated-frame": PROTOCOL,
	"reserved-flags": PROTOCOL,
	"bad-end-stream": PROTOCOL,
	"unknown-coding": PROTOCOL,
	"bad-compression": PROTOCOL,
	"inflate-limit": PROTOCOL,
	"bad-ca-file": {
		kind: "upstream-unavailable",
		sentence: "The file with certificate authorities cannot be used.",
		nextStep: "Correct the setting caFile.",
	},
	"bad-proxy-url": {
		kind: "upstream-unavailable",
		sentence: "The address of the proxy cannot be used.",
		nextStep: "Correct the proxy settings.",
	},
	"connect-failed": UNREACHABLE,
	"connect-timeout": UNREACHABLE,
	"proxy-refused": {
		kind: "upstream-unavailable",
		sentence: "The proxy refuses the connection to Cursor.",
		nextStep: "Check the proxy settings; `cursorwire doctor` says which hop fails.",
	},
	tls: {
		kind: "upstream-unavailable",
		sentence: "There is no trusted connection to Cursor.",
		nextStep: "If your network inspects TLS, name its certificate authority in the setting caFile.",
	},
	"alpn-no-h2": NO_HTTP2,
	"bad-request": { kind: "internal" },
	"refused-stream": UNREACHABLE,
	"http1-required": NO_HTTP2,
	"stream-reset": CUT,
	goaway: CUT,
	"ping-timeout": { kind: "upstream-stalled" },
	"connection-lost": CUT,
	"body-too-large": PROTOCOL,
	"deadline-exceeded": { kind: "upstream-timeout" },
	aborted: { kind: "cancelled" },
};

/** Translates a transport failure into one of the known error kinds. */
export function decodeWireError(error: WireError): GatewayError {
	const { kind, sentence, nextStep } = WIRE_ERROR_CAUSES[error.code];
	// The client should not see the details of the gateway's own mistakes.
	const detail = kind === "internal" ? undefined : asSentence(cleanText(error.message));
	return new GatewayError(kind, sentence, { detail, nextStep, cause: error });
}

/** Decodes anything that an upstream call can throw. */
export function decodeThrown(error: unknown): GatewayError {
	return error instanceof WireError ? decodeWireError(error) : toGatewayError(error);
}

/** The text stands between two other sentences. */
function asSentence(text: string): string {
	return text === "" ? "" : `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
