import type { GatewayError } from "../../turn/error.ts";
import {
	encodeOpenaiError,
	type OpenaiError,
	type OpenaiErrorBody,
	toOpenaiErrorBody,
} from "../shared/openai-errors.ts";

export { encodeOpenaiError as encodeResponsesError } from "../shared/openai-errors.ts";

export interface ResponseError {
	code: string;
	message: string;
}

/** An error inside a response that had begun. */
export function toResponseError(error: GatewayError): ResponseError {
	const { code, message } = toOpenaiErrorBody(error).error;
	return { code, message };
}

/**
 * The fields of an `error` event. The API's description has them in the event itself, the API sends them in an object
 * inside it, and clients look in either place.
 */
export function toErrorEvent(error: GatewayError): Omit<OpenaiErrorBody["error"], "type"> & OpenaiErrorBody {
	const body = toOpenaiErrorBody(error);
	const { code, message, param } = body.error;
	return { code, message, param, ...body };
}

/**
 * Codex compacts the conversation when a response fails with this code. In an error with a status of its own it takes
 * the same code for a mistake in the request.
 */
export function isFailureOfResponse({ kind }: GatewayError): boolean {
	return kind === "context-too-long";
}

const PAYMENT_REQUIRED = 402;
const BAD_REQUEST = 400;

/**
 * Codex repeats a request that got 402 five times, whatever `x-should-retry` says, and shows at once what came with 400.
 * The body is the same.
 */
export function encodeErrorForCodex(error: GatewayError): OpenaiError {
	const encoded = encodeOpenaiError(error);
	return encoded.status === PAYMENT_REQUIRED ? { ...encoded, status: BAD_REQUEST } : encoded;
}
