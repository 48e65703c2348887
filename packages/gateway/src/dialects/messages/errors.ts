import type { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS } from "../../turn/error-kinds.ts";
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
	const message = wellFormed(`${knownWords(error)}${placed(error)}`);
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

/**
 * The API has no code for this. Clients look for its words to know that they have to compact the conversation, and for
 * its figures to know how much of it. The prompt is an estimate here, so it may seem to fit.
 */
function knownWords({ kind, overflow: { promptTokens, windowTokens } }: GatewayError): string {
	if (kind !== "context-too-long") return "";
	if (promptTokens === undefined || windowTokens === undefined) return "prompt is too long: ";
	return `prompt is too long: ${Math.max(promptTokens, windowTokens + 1)} tokens > ${windowTokens} maximum. `;
}

/** The one code that clients act on: the SDK then sends whole histories for the rest of a conversation. */
function detailsOf({ kind, param }: GatewayError): { details?: { error_code: string } } {
	if (kind !== "invalid-request" || param !== "thread") return {};
	return { details: { error_code: "thread_unsupported_request" } };
}
