import { inSlices } from "../../time/slices.ts";
import { type Soon, soon } from "../../time/soon.ts";
import type { CollectedTurn } from "../../turn/collect.ts";
import type { Dialect, DialectContext, DialectTurn } from "../dialect.ts";
import { windowOfBetas } from "./betas.ts";
import { type MessagesRequest, messagesRequest } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { encodeMessagesError } from "./errors.ts";
import { MessagesStreamEncoder } from "./stream.ts";

/** Anthropic's Messages. */
export const messagesDialect: Dialect = {
	name: "messages",
	path: "/messages",
	header: "anthropic-version",
	requestIdHeader: "request-id",
	read: readMessages,
	encodeError: encodeMessagesError,
};

function readMessages(body: unknown, context: DialectContext): Soon<DialectTurn> {
	return soon(inSlices(messagesRequest(body)), (request) => messagesTurn(request, context));
}

function messagesTurn({ turn, stream }: MessagesRequest, { newId, requestId, header }: DialectContext): DialectTurn {
	const contextWindow = windowOfBetas(header("anthropic-beta"));
	if (contextWindow) turn.contextWindow = contextWindow;
	const shared = { id: `msg_${newId()}` };
	return {
		dialect: messagesDialect.name,
		turn,
		stream,
		tellsPromptFirst: stream,
		choices: 1,
		encoder: () => new MessagesStreamEncoder({ ...shared, requestId }),
		whole: ([only]) => encodeMessage(only as CollectedTurn, shared),
		error: (error) => encodeMessagesError(error, requestId),
	};
}
