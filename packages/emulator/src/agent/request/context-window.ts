import type { Turn } from "../../brains/brain.ts";
import { RpcFailure } from "../../rpc/failure.ts";
import { promptTokens } from "../../usage/prompt-tokens.ts";
import type { RunModel } from "./choose-model.ts";

/** How many tokens fit: more in max mode, where the model has one. */
function windowOf({ model, maxMode }: RunModel): number {
	return (maxMode ? model.maxModeContextTokens : undefined) ?? model.contextTokens;
}

export function fitsWindow(turn: Turn, model: RunModel): boolean {
	return promptTokens(turn) <= windowOf(model);
}

/** What a conversation gets that the model cannot read as a whole. */
export function tooLong({ model }: RunModel): RpcFailure {
	return new RpcFailure(
		"invalid_argument",
		"Error",
		{
			error: "ERROR_CONVERSATION_TOO_LONG",
			title: "Conversation too long",
			detail: `Your conversation is too long for ${model.displayName}. Please start a new one or shorten your messages.`,
			isRetryable: false,
		},
		{ "x-cursor-inference-request-error-type": "CONVERSATION_TOO_LONG" },
	);
}
