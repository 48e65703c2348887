import type { ChatCompletion, ChatCompletionChunk } from "openai/resources/chat/completions";
import type { Model } from "openai/resources/models";
import type { Response, ResponseStreamEvent } from "openai/resources/responses/responses";
import type { ErrorObject } from "openai/resources/shared";

/** What OpenAI's library declares that its users are given. */
export interface OpenaiTypes {
	ChatCompletion: ChatCompletion;
	ChatCompletionChunk: ChatCompletionChunk;
	Response: Response;
	ResponseStreamEvent: ResponseStreamEvent;
	Model: Model;
	ErrorObject: ErrorObject;
}
