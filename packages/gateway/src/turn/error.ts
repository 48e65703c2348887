import { asStarted } from "../text/as-started.ts";
import { joinSentences } from "../text/sentences.ts";
import { ERROR_KINDS, type ErrorKind, type ErrorKindEntry } from "./error-kinds.ts";

// What went wrong, in the neutral language between dialects and protocols. Every failure becomes a `GatewayError` of
// one of the kinds in error-kinds.ts: the upstream side turns Cursor's errors into it, and each dialect writes it in
// the form and with the status code that its clients expect.

export interface ErrorDetail {
	/** What Cursor said, for a person to read: title and detail, shortened to a readable length. */
	detail?: string;
	/** The part of the request that the error is about, as a path such as `messages[2].content`. */
	param?: string;
	/** Seconds until a retry makes sense. */
	retryAfterSeconds?: number;
	/** What the user can do next, if something more exact is known than what error-kinds.ts says. */
	nextStep?: string;
	cause?: unknown;
}

/** How a prompt compares with what fits. */
export interface Overflow {
	/** Estimated. */
	promptTokens?: number;
	windowTokens?: number;
}

/** The only kind of error that clients see: one of a closed set of kinds, with a plain sentence. */
export class GatewayError extends Error {
	readonly kind: ErrorKind;
	readonly detail: string | undefined;
	readonly param: string | undefined;
	readonly retryAfterSeconds: number | undefined;
	readonly nextStep: string;
	/** Of a conversation that is too long: filled in on its way to the client, by those who know. */
	overflow: Overflow = {};

	constructor(kind: ErrorKind, message?: string, detail: ErrorDetail = {}) {
		const entry: ErrorKindEntry = ERROR_KINDS[kind];
		super(message ?? entry.sentence, { cause: detail.cause });
		this.name = "GatewayError";
		this.kind = kind;
		this.detail = detail.detail;
		this.param = detail.param ?? entry.param;
		this.retryAfterSeconds = detail.retryAfterSeconds ?? entry.retryAfterSeconds;
		this.nextStep = detail.nextStep ?? entry.nextStep;
	}

	get status(): number {
		return ERROR_KINDS[this.kind].status;
	}

	/** What happened, what Cursor said about it, and what to do next, in one text. */
	get fullMessage(): string {
		return joinSentences([asStarted(this.message), this.detail, asStarted(this.nextStep)]);
	}
}

/** Converts anything thrown to a `GatewayError`. Any other error is a bug, so its text is not shown to clients. */
export function toGatewayError(error: unknown): GatewayError {
	if (error instanceof GatewayError) return error;
	return new GatewayError("internal", undefined, { cause: error });
}
