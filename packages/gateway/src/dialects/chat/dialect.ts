import { inSlices } from "../../time/slices.ts";
import type { Dialect, DialectContext, DialectTurn } from "../dialect.ts";
import { OpenChoices } from "../shared/open-choices.ts";
import { chatRequest } from "./decode.ts";
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

async function readChat(body: unknown, { newId, now }: DialectContext): Promise<DialectTurn> {
	const { turn, stream, includeUsage, n, legacyFunctions } = await inSlices(chatRequest(body));
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
		encoder: (choiceIndex) => new ChatStreamEncoder({ ...shared, includeUsage, choiceIndex, choices }),
		whole: (turns) => encodeChatCompletion(turns, shared),
		error: encodeChatError,
	};
}
