import { inSlices } from "../../time/slices.ts";
import { countInputTokens } from "../../tokens/prompt-tokens.ts";
import { loadTokenEstimator } from "../../tokens/token-estimate.ts";
import { messagesRequest } from "./decode.ts";

/** The response to `POST /v1/messages/count_tokens`. */
export async function countTokens(body: unknown): Promise<{ input_tokens: number }> {
	const { turn } = await inSlices(messagesRequest(body));
	return { input_tokens: await inSlices(countInputTokens(turn, await loadTokenEstimator())) };
}
