/** Everything that can go wrong below the level of messages. A closed set, so that a `switch` can be exhaustive. */
export type WireErrorCode =
	// frames
	| "frame-too-large"
	| "truncated-frame"
	| "reserved-flags"
	| "bad-end-stream"
	| "unknown-coding"
	| "bad-compression"
	| "inflate-limit"
	// reaching the peer
	| "bad-ca-file"
	| "bad-proxy-url"
	| "connect-failed"
	| "connect-timeout"
	| "proxy-refused"
	| "tls"
	| "alpn-no-h2"
	// one exchange
	| "bad-request"
	| "refused-stream"
	| "http1-required"
	| "stream-reset"
	| "goaway"
	| "ping-timeout"
	| "connection-lost"
	| "body-too-large"
	| "deadline-exceeded"
	| "aborted";

/** What a `WireError` can carry besides its code. */
export interface WireErrorDetail {
	/** HTTP/2 error code of the RST_STREAM or GOAWAY frame that caused the error. */
	rstCode?: number;
	/** HTTP status of the response that caused the error, which is always that of a proxy. */
	status?: number;
	/** See `WireError.safeToRetry`. Default false. */
	safeToRetry?: boolean;
	cause?: unknown;
}

/** The only error type that leaves the wire layer. */
export class WireError extends Error {
	override readonly name = "WireError";
	readonly code: WireErrorCode;
	readonly rstCode: number | undefined;
	readonly status: number | undefined;
	/**
	 * The peer provably did not process the request, so sending it again cannot execute it twice. This does not say that
	 * a second attempt can succeed: a failure caused by a wrong certificate is safe to retry as well.
	 */
	readonly safeToRetry: boolean;

	constructor(code: WireErrorCode, message: string, detail: WireErrorDetail = {}) {
		super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
		this.code = code;
		this.rstCode = detail.rstCode;
		this.status = detail.status;
		this.safeToRetry = detail.safeToRetry ?? false;
	}
}

/** The message of anything that was thrown, for use inside another message. */
export function describeCause(cause: unknown): string {
	if (!(cause instanceof Error)) return String(cause);
	const { code } = cause as NodeJS.ErrnoException;
	// Node's AggregateError (all addresses of a host failed) has a code and an empty message.
	if (cause.message === "") return code ?? cause.name;
	return cause.message;
}
