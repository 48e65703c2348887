import { inSlices } from "../../time/slices.ts";
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

async function readCompletions(body: unknown, { newId, now }: DialectContext): Promise<DialectTurn> {
	const { turn, stream, includeUsage, n } = await inSlices(completionsRequest(body));
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
