/** Everything that can go wrong below the message level. Closed, so that a caller's switch can be exhaustive. */
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

/** What a `WireError` can carry beside its code. */
export interface WireErrorDetail {
	/** HTTP/2 error code of the RST_STREAM or GOAWAY frame behind the error. */
	rstCode?: number;
	/** HTTP status the peer (here always a proxy) answered with. */
	status?: number;
	/** See `WireError.safeToRetry`; false unless said otherwise. */
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
	 * The peer provably did not process the request, so sending it again cannot run it twice.
	 * It says nothing about whether a second attempt has a chance: a wrong certificate is "safe" as well.
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

/** The text of anything that was thrown, for use inside another message. */
export function describeCause(cause: unknown): string {
	if (!(cause instanceof Error)) return String(cause);
	const { code } = cause as NodeJS.ErrnoException;
	// Node's AggregateError (all addresses of a host failed) has a code and an empty message.
	if (cause.message === "") return code ?? cause.name;
	return cause.message;
}
