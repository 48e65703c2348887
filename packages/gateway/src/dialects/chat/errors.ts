import type { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS } from "../../turn/error-kinds.ts";
import { retryHeaders } from "../shared/retry-headers.ts";
import { wellFormed } from "../shared/well-formed.ts";

export interface ChatErrorBody {
	error: { message: string; type: string; param: string | null; code: string };
}

export interface ChatError {
	status: number;
	headers: Record<string, string>;
	body: ChatErrorBody;
}

/** An error in OpenAI's form. */
export function encodeChatError(error: GatewayError): ChatError {
	return { status: error.status, headers: retryHeaders(error), body: toErrorBody(error) };
}

/** The body alone, which is also what a stream that has begun ends with. */
export function toErrorBody(error: GatewayError): ChatErrorBody {
	const { type, code } = ERROR_KINDS[error.kind].openai;
	return { error: { message: wellFormed(error.fullMessage), type, param: error.param ?? null, code } };
}
