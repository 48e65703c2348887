import { inSlices } from "../../time/slices.ts";
import type { TurnCall } from "../../turns/turn-service.ts";
import type { ChatCallOptions } from "../chat/dialect.ts";
import { encodeChatError } from "../chat/errors.ts";
import { OpenChoices } from "../chat/stream.ts";
import { completionsRequest } from "./decode.ts";
import { encodeCompletion } from "./encode.ts";
import { CompletionStreamEncoder } from "./stream.ts";

/** A body of `POST /v1/completions`, read. Rejects with a `GatewayError` where it is not one. */
export async function completionsCall(body: unknown, { newId, now }: ChatCallOptions): Promise<TurnCall> {
	const { turn, stream, includeUsage, n } = await inSlices(completionsRequest(body));
	const shared = { id: `cmpl-${newId()}`, created: Math.floor(now() / 1000) };
	const choices = new OpenChoices(n);
	return {
		dialect: "completions",
		turn,
		stream,
		choices: n,
		encoder: (choiceIndex) => new CompletionStreamEncoder({ ...shared, includeUsage, choiceIndex, choices }),
		whole: (turns) => encodeCompletion(turns, shared),
		error: encodeChatError,
	};
}
