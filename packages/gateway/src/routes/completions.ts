import { encodeChatError } from "../dialects/chat/errors.ts";
import { OpenChoices } from "../dialects/chat/stream.ts";
import { completionsRequest } from "../dialects/completions/decode.ts";
import { encodeCompletion } from "../dialects/completions/encode.ts";
import { CompletionStreamEncoder } from "../dialects/completions/stream.ts";
import { inSlices } from "../time/slices.ts";
import type { TurnCall } from "../turns/turn-service.ts";
import type { ChatCallOptions } from "./chat.ts";

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
