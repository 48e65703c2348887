import type { Turn } from "../../brains/brain.ts";
import { RpcFailure } from "../../rpc/failure.ts";
import { promptTokens } from "../../token-usage/prompt-tokens.ts";
import type { RunModel } from "./choose-model.ts";

/** How many tokens fit. Some models take more in max mode. */
function windowOf({ model, maxMode }: RunModel): number {
	return (maxMode ? model.maxModeContextTokens : undefined) ?? model.contextTokens;
}

export function fitsWindow(turn: Turn, model: RunModel): boolean {
	return promptTokens(turn) <= windowOf(model);
}

/** The error for a conversation that does not fit into the model's window. */
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
