import { countInputTokens } from "../dialects/messages/count-tokens.ts";
import { decodeMessagesRequest } from "../dialects/messages/decode.ts";
import { encodeMessage } from "../dialects/messages/encode.ts";
import { encodeMessagesError } from "../dialects/messages/errors.ts";
import { MessagesStreamEncoder } from "../dialects/messages/stream.ts";
import type { TurnCall } from "../server/turn-service.ts";
import type { CollectedTurn } from "../turn/collect.ts";
import { roughInputTokens } from "../turn/rough-tokens.ts";
import { loadTokenEstimator } from "../turn/token-estimate.ts";

export interface MessagesCallOptions {
	newId(): string;
	/** Milliseconds of the epoch. */
	now(): number;
}

/** A body of `POST /v1/messages`, read. Throws a `GatewayError` where it is not one. */
export function messagesCall(body: unknown, { newId }: MessagesCallOptions): TurnCall {
	const { turn, stream } = decodeMessagesRequest(body);
	const shared = { id: `msg_${newId()}`, model: turn.model };
	const requestId = `req_${newId()}`;
	return {
		dialect: "messages",
		turn,
		stream,
		choices: 1,
		headers: { "request-id": requestId },
		encoder: () => new MessagesStreamEncoder({ ...shared, requestId, promptTokens: roughInputTokens(turn) }),
		whole: ([only]) => encodeMessage(only as CollectedTurn, shared),
		error: (error) => encodeMessagesError(error, requestId),
	};
}

/** The answer to `POST /v1/messages/count_tokens`. */
export async function countTokens(body: unknown): Promise<{ input_tokens: number }> {
	const { turn } = decodeMessagesRequest(body);
	return { input_tokens: countInputTokens(turn, await loadTokenEstimator()) };
}
