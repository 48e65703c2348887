import type { Message, MessageTokensCount, RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import type { ModelInfo } from "@anthropic-ai/sdk/resources/models";
import type { ErrorResponse } from "@anthropic-ai/sdk/resources/shared";

/** What Anthropic's library declares that its users are given. */
export interface AnthropicTypes {
	Message: Message;
	RawMessageStreamEvent: RawMessageStreamEvent;
	MessageTokensCount: MessageTokensCount;
	ModelInfo: ModelInfo;
	ErrorResponse: ErrorResponse;
}
