import { inSlices } from "../../time/slices.ts";
import { type Soon, soon } from "../../time/soon.ts";
import type { ChatRequest } from "../chat/decode.ts";
import type { Dialect, DialectContext, DialectTurn } from "../dialect.ts";
import { OpenChoices } from "../shared/open-choices.ts";
import { encodeOpenaiError } from "../shared/openai-errors.ts";
import { completionsRequest } from "./decode.ts";
import { encodeCompletion } from "./encode.ts";
import { CompletionStreamEncoder } from "./stream.ts";

/** OpenAI's Completions, the older API that continues a text. */
export const completionsDialect: Dialect = {
	name: "completions",
	path: "/completions",
	requestIdHeader: "x-request-id",
	read: readCompletions,
	encodeError: encodeOpenaiError,
};

function readCompletions(body: unknown, context: DialectContext): Soon<DialectTurn> {
	return soon(inSlices(completionsRequest(body)), (request) => completionsTurn(request, context));
}

function completionsTurn({ turn, stream, includeUsage, n }: ChatRequest, { newId, now }: DialectContext): DialectTurn {
	const shared = { id: `cmpl-${newId()}`, created: Math.floor(now() / 1000) };
	const choices = new OpenChoices(n);
	return {
		dialect: completionsDialect.name,
		turn,
		stream,
		choices: n,
		encoder: (choiceIndex) => new CompletionStreamEncoder({ ...shared, includeUsage, choiceIndex, choices }),
		whole: (turns) => encodeCompletion(turns, shared),
		error: encodeOpenaiError,
	};
}
