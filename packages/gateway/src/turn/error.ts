import { joinSentences } from "../text/sentences.ts";
import { ERROR_KINDS, type ErrorKind, type ErrorKindEntry } from "./error-kinds.ts";

export interface ErrorDetail {
	/** What the upstream said, for a person: title and detail, cut to a readable length. */
	detail?: string;
	/** Which part of the request is meant, as a path such as `messages[2].content`. */
	param?: string;
	/** Seconds until a retry makes sense. */
	retryAfterSeconds?: number;
	/** Replaces the table's next step where something more exact is known. */
	nextStep?: string;
	cause?: unknown;
}

/** The only error that leaves the gateway: one of a closed set of kinds, with a plain sentence. */
export class GatewayError extends Error {
	readonly kind: ErrorKind;
	readonly detail: string | undefined;
	readonly param: string | undefined;
	readonly retryAfterSeconds: number | undefined;
	readonly nextStep: string;

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

	/** Sentence, what the upstream said, and what to do, in one text. */
	get fullMessage(): string {
		return joinSentences([this.message, this.detail, this.nextStep]);
	}
}

/** Anything thrown, as a `GatewayError`. What is not one of ours is a bug, and its text stays inside. */
export function toGatewayError(error: unknown): GatewayError {
	if (error instanceof GatewayError) return error;
	return new GatewayError("internal", undefined, { cause: error });
}
