import type { IncomingMessage } from "node:http";
import { encodeChatError } from "../dialects/chat/errors.ts";
import { encodeMessagesError } from "../dialects/messages/errors.ts";
import type { GatewayError } from "../turn/error.ts";

type RequestHead = Pick<IncomingMessage, "url" | "headers">;

export interface ErrorAnswer {
	status: number;
	headers: Record<string, string>;
	body: object;
}

/** Whether a request is one of Anthropic's API: by its path, or for the paths that both have by its header. */
export function speaksAnthropic({ url = "", headers }: RequestHead): boolean {
	return /^(?:\/v1)?\/messages(?:[/?]|$)/.test(url) || headers["anthropic-version"] !== undefined;
}

/** An error in the form that the sender of a request can read. Undefined: what came was no request. */
export function errorAnswer(request: RequestHead | undefined, error: GatewayError, newId: () => string): ErrorAnswer {
	return request && speaksAnthropic(request) ? encodeMessagesError(error, `req_${newId()}`) : encodeChatError(error);
}
