import { inSlices } from "../../time/slices.ts";
import { type Soon, soon } from "../../time/soon.ts";
import type { CollectedTurn } from "../../turn/collect.ts";
import type { GatewayError } from "../../turn/error.ts";
import type { Dialect, DialectContext, DialectTurn, EncodedError } from "../dialect.ts";
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
	return soon(inSlices(chatRequest(body)), turnOf, context);
}

const turnOf = (request: ChatRequest, context: DialectContext) => new ChatTurn(request, context);

class ChatTurn implements DialectTurn {
	readonly dialect = chatDialect.name;
	turn: DialectTurn["turn"];
	readonly stream: boolean;
	readonly choices: number;
	readonly #id: string;
	readonly #created: number;
	readonly #legacyFunctions: boolean;
	readonly #includeUsage: boolean;
	readonly #open: OpenChoices;

	constructor({ turn, stream, includeUsage, n, legacyFunctions }: ChatRequest, { newId, now }: DialectContext) {
		this.turn = turn;
		this.stream = stream;
		this.choices = n;
		this.#id = `chatcmpl-${newId()}`;
		this.#created = Math.floor(now() / 1000);
		this.#legacyFunctions = legacyFunctions;
		this.#includeUsage = includeUsage;
		this.#open = new OpenChoices(n);
	}

	encoder(choiceIndex: number): ChatStreamEncoder {
		return new ChatStreamEncoder({
			id: this.#id,
			created: this.#created,
			legacyFunctions: this.#legacyFunctions,
			includeUsage: this.#includeUsage,
			choiceIndex,
			choices: this.#open,
		});
	}

	whole(turns: CollectedTurn[]): object {
		const shared = { id: this.#id, created: this.#created, legacyFunctions: this.#legacyFunctions };
		return encodeChatCompletion(turns, shared);
	}

	error(error: GatewayError): EncodedError {
		return encodeChatError(error);
	}
}
