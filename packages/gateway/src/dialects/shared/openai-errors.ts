import type { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS } from "../../turn/error-kinds.ts";
import type { EncodedError } from "../dialect.ts";
import { retryHeaders } from "./retry-headers.ts";
import { wellFormed } from "./well-formed.ts";

// Errors with a status of their own look the same in all of OpenAI's APIs.

export interface OpenaiErrorBody {
	error: { message: string; type: string; param: string | null; code: string };
}

export interface OpenaiError extends EncodedError {
	body: OpenaiErrorBody;
}

/** An error in OpenAI's form. */
export function encodeOpenaiError(error: GatewayError): OpenaiError {
	return { status: error.status, headers: retryHeaders(error), body: toOpenaiErrorBody(error) };
}

/** The body alone, which also ends a stream that has failed. */
export function toOpenaiErrorBody(error: GatewayError): OpenaiErrorBody {
	const { type, code } = ERROR_KINDS[error.kind].openai;
	return { error: { message: wellFormed(error.fullMessage), type, param: error.param ?? null, code } };
}
