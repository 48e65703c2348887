import { inSlices } from "../../time/slices.ts";
import type { TurnCall } from "../../turns/turn-service.ts";
import { chatRequest } from "./decode.ts";
import { encodeChatCompletion } from "./encode.ts";
import { encodeChatError } from "./errors.ts";
import { ChatStreamEncoder, OpenChoices } from "./stream.ts";

export interface ChatCallOptions {
	newId(): string;
	/** Milliseconds of the epoch. */
	now(): number;
}

/** A body of `POST /v1/chat/completions`, read. Rejects with a `GatewayError` where it is not one. */
export async function chatCall(body: unknown, { newId, now }: ChatCallOptions): Promise<TurnCall> {
	const { turn, stream, includeUsage, n, legacyFunctions } = await inSlices(chatRequest(body));
	const shared = {
		id: `chatcmpl-${newId()}`,
		created: Math.floor(now() / 1000),
		legacyFunctions,
	};
	const choices = new OpenChoices(n);
	return {
		dialect: "chat",
		turn,
		stream,
		choices: n,
		encoder: (choiceIndex) => new ChatStreamEncoder({ ...shared, includeUsage, choiceIndex, choices }),
		whole: (turns) => encodeChatCompletion(turns, shared),
		error: encodeChatError,
	};
}
