import type { IncomingMessage } from "node:http";
import { encodeChatError } from "../dialects/chat/errors.ts";
import { encodeMessagesError } from "../dialects/messages/errors.ts";
import type { GatewayError } from "../turn/error.ts";

type RequestHead = Pick<IncomingMessage, "url" | "headers">;

interface ErrorAnswer {
	status: number;
	headers: Record<string, string>;
	body: object;
}

const ANTHROPIC_PATHS = /^(?:\/v1)?\/messages(?:[/?]|$)/;
const OPENAI_PATHS = /^(?:\/v1)?\/(?:chat\/completions|responses|completions|embeddings)(?:[/?]|$)/;

/** Whether a request is one of Anthropic's API: by its path, or for paths that are not one API's alone by its header. */
export function speaksAnthropic({ url = "", headers }: RequestHead): boolean {
	if (ANTHROPIC_PATHS.test(url)) return true;
	return !OPENAI_PATHS.test(url) && headers["anthropic-version"] !== undefined;
}

/** An error in the form that the sender of a request can read. */
export function errorAnswer(request: RequestHead, error: GatewayError, requestId: string): ErrorAnswer {
	return speaksAnthropic(request) ? encodeMessagesError(error, requestId) : encodeChatError(error);
}
