import type { GatewayError } from "../../turn/error.ts";
import { toErrorBody } from "../chat/errors.ts";

/** Errors with a status of their own look the same in all of OpenAI's APIs. */
export { encodeChatError as encodeResponsesError } from "../chat/errors.ts";

export interface ResponseError {
	code: string;
	message: string;
}

/** An error inside a response that had begun. */
export function toResponseError(error: GatewayError): ResponseError {
	const { code, message } = toErrorBody(error).error;
	return { code, message };
}
