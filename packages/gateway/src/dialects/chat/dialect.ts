import { inSlices } from "../../time/slices.ts";
import { type Soon, soon } from "../../time/soon.ts";
import type { Dialect, DialectContext, DialectTurn } from "../dialect.ts";
import { OpenChoices } from "../shared/open-choices.ts";
import { type ChatRequest, chatRequest } from "./decode.ts";
import { encodeChatCompletion } from "./encode.ts";
import { encodeChatError } from "./errors.ts";
import { ChatStreamEncoder } from "./stream.ts";

/** OpenAI's Chat Completions. */
export const chatDialect: Dialect = {
	name: "chat",
	path: "/chat/completions",
	otherPaths: ["/embeddings"],
	requestIdHeader: "x-request-id",
	read: readChat,
	encodeError: encodeChatError,
};

function readChat(body: unknown, context: DialectContext): Soon<DialectTurn> {
	return soon(inSlices(chatRequest(body)), (request) => chatTurn(request, context));
}

function chatTurn(
	{ turn, stream, includeUsage, n, legacyFunctions }: ChatRequest,
	{ newId, now }: DialectContext,
): DialectTurn {
	const shared = {
		id: `chatcmpl-${newId()}`,
		created: Math.floor(now() / 1000),
		legacyFunctions,
	};
	const choices = new OpenChoices(n);
	return {
		dialect: chatDialect.name,
		turn,
		stream,
		choices: n,
		encoder: (choiceIndex) =>
			new ChatStreamEncoder({
				id: shared.id,
				created: shared.created,
				legacyFunctions,
				includeUsage,
				choiceIndex,
				choices,
			}),
		whole: (turns) => encodeChatCompletion(turns, shared),
		error: encodeChatError,
	};
}
