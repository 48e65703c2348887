import { inSlices } from "../../time/slices.ts";
import { countInputTokens } from "../../tokens/prompt-tokens.ts";
import { loadTokenEstimator } from "../../tokens/token-estimate.ts";
import type { CollectedTurn } from "../../turn/collect.ts";
import type { TurnCall } from "../../turns/turn-service.ts";
import { windowOfBetas } from "./betas.ts";
import { messagesRequest } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { encodeMessagesError } from "./errors.ts";
import { MessagesStreamEncoder } from "./stream.ts";

export interface MessagesCallOptions {
	newId(): string;
	/** Names the request in its errors. */
	requestId: string;
	/** The value of `anthropic-beta`. */
	betas?: string | undefined;
}

/** A body of `POST /v1/messages`, read. Rejects with a `GatewayError` where it is not one. */
export async function messagesCall(body: unknown, { newId, requestId, betas }: MessagesCallOptions): Promise<TurnCall> {
	const { turn, stream } = await inSlices(messagesRequest(body));
	const contextWindow = windowOfBetas(betas);
	if (contextWindow) turn.contextWindow = contextWindow;
	const shared = { id: `msg_${newId()}` };
	return {
		dialect: "messages",
		turn,
		stream,
		tellsPromptFirst: stream,
		choices: 1,
		encoder: () => new MessagesStreamEncoder({ ...shared, requestId }),
		whole: ([only]) => encodeMessage(only as CollectedTurn, shared),
		error: (error) => encodeMessagesError(error, requestId),
	};
}

/** The answer to `POST /v1/messages/count_tokens`. */
export async function countTokens(body: unknown): Promise<{ input_tokens: number }> {
	const { turn } = await inSlices(messagesRequest(body));
	return { input_tokens: await inSlices(countInputTokens(turn, await loadTokenEstimator())) };
}
