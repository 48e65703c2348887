import type { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS, type ErrorKind } from "../../turn/error-kinds.ts";
import { retryHeaders } from "../shared/retry-headers.ts";
import { wellFormed } from "../shared/well-formed.ts";

export interface MessagesErrorBody {
	type: "error";
	error: { type: string; message: string; details?: { error_code: string } };
	request_id: string | null;
}

export interface MessagesError {
	status: number;
	headers: Record<string, string>;
	body: MessagesErrorBody;
}

/** An error in Anthropic's form. */
export function encodeMessagesError(error: GatewayError, requestId?: string): MessagesError {
	return { status: error.status, headers: retryHeaders(error), body: toErrorBody(error, requestId) };
}

/** The body alone, which also ends a stream that has failed. */
export function toErrorBody(error: GatewayError, requestId?: string): MessagesErrorBody {
	const message = wellFormed(`${KNOWN_WORDS[error.kind] ?? ""}${placed(error)}`);
	return {
		type: "error",
		error: { type: ERROR_KINDS[error.kind].anthropic, message, ...detailsOf(error) },
		request_id: requestId ?? null,
	};
}

/** The API has no field for the place in the request, so it stands in the text. */
function placed({ param, fullMessage }: GatewayError): string {
	return param === undefined || fullMessage.startsWith(param) ? fullMessage : `${param}: ${fullMessage}`;
}

/** The API has no code for these. Clients look for its words to know that they have to compact the conversation. */
const KNOWN_WORDS: Readonly<Partial<Record<ErrorKind, string>>> = {
	"context-too-long": "prompt is too long: ",
};

/** The one code that clients act on: the SDK then sends whole histories for the rest of a conversation. */
function detailsOf({ kind, param }: GatewayError): { details?: { error_code: string } } {
	if (kind !== "invalid-request" || param !== "thread") return {};
	return { details: { error_code: "thread_unsupported_request" } };
}
