import { constants } from "node:http2";
import { describeCause, WireError } from "../errors.ts";

const { NGHTTP2_HTTP_1_1_REQUIRED, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** Indexed by error code, RFC 9113 section 7. */
const NAMES = [
	"NO_ERROR",
	"PROTOCOL_ERROR",
	"INTERNAL_ERROR",
	"FLOW_CONTROL_ERROR",
	"SETTINGS_TIMEOUT",
	"STREAM_CLOSED",
	"FRAME_SIZE_ERROR",
	"REFUSED_STREAM",
	"CANCEL",
	"COMPRESSION_ERROR",
	"CONNECT_ERROR",
	"ENHANCE_YOUR_CALM",
	"INADEQUATE_SECURITY",
	"HTTP_1_1_REQUIRED",
];

/** The content of a GOAWAY frame. */
export interface Goaway {
	code: number;
	lastStreamId: number;
}

/** What is known about the connection of a stream when the stream closes. */
export interface SessionFate {
	goaway: Goaway | undefined;
	/** Why we ended the connection ourselves. */
	failureReason: WireError | undefined;
	isGone: boolean;
}

/** What is known about a stream that closed before its response was complete. */
export interface StreamFate {
	/** Undefined if the request headers were never sent. */
	id: number | undefined;
	rstCode: number;
	sawHead: boolean;
	/** What Node reported: an error of the stream, of the socket or of the HTTP/2 engine. */
	cause: Error | undefined;
	session: SessionFate;
}

/**
 * Finds out why a stream failed and whether the peer can have processed the request. RFC 9113 section 8.7 names the two
 * cases in which it cannot: a stream above the last id of a GOAWAY frame, and one that was reset with REFUSED_STREAM.
 */
export function explainStreamFailure(stream: StreamFate): WireError {
	const { session } = stream;
	const wasSent = stream.id !== undefined;
	if (session.failureReason !== undefined) return sameFailure(session.failureReason, !wasSent);
	if (session.goaway !== undefined) {
		const isUnprocessed = !wasSent || (stream.id as number) > session.goaway.lastStreamId;
		if (isUnprocessed) return goawayError(session.goaway, true);
		// After NO_ERROR the stream may still finish (RFC 9113 section 6.8), so it failed for a reason of its own.
		if (session.goaway.code !== NGHTTP2_NO_ERROR) return goawayError(session.goaway, false);
	}
	if (session.isGone) return connectionLost(stream.cause, !wasSent);
	return resetError(stream);
}

function resetError({ rstCode, sawHead, cause }: StreamFate): WireError {
	const message = `the stream was reset with ${h2ErrorName(rstCode)}`;
	// A peer that sent a response has processed the request, whatever it claims afterwards.
	const safeToRetry = !sawHead;
	if (rstCode === NGHTTP2_REFUSED_STREAM) return new WireError("refused-stream", message, { rstCode, safeToRetry });
	if (rstCode === NGHTTP2_HTTP_1_1_REQUIRED) return new WireError("http1-required", message, { rstCode, safeToRetry });
	return new WireError("stream-reset", message, { rstCode, cause });
}

function goawayError(goaway: Goaway, safeToRetry: boolean): WireError {
	const code = goaway.code === NGHTTP2_HTTP_1_1_REQUIRED ? "http1-required" : "goaway";
	const message = `the peer closes the connection with ${h2ErrorName(goaway.code)}`;
	return new WireError(code, message, { rstCode: goaway.code, safeToRetry });
}

function connectionLost(cause: Error | undefined, safeToRetry: boolean): WireError {
	const reason = cause === undefined ? "the peer closed it" : describeCause(cause);
	return new WireError("connection-lost", `the connection was lost: ${reason}`, { cause, safeToRetry });
}

function sameFailure(reason: WireError, safeToRetry: boolean): WireError {
	return new WireError(reason.code, reason.message, { cause: reason.cause, safeToRetry });
}

function h2ErrorName(code: number): string {
	return NAMES[code] ?? `error ${code}`;
}
