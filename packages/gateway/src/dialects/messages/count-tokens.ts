import type { ImagePart, TextPart, TurnMessage, TurnRequest } from "../../turn/request.ts";
import type { TokenEstimator } from "../../turn/token-estimate.ts";

/** What an image of the largest size that models look at costs. Its true size is not worth to decode it for. */
const IMAGE_TOKENS = 1600;
/** What the marks around a message cost, and around a tool. */
const MESSAGE_TOKENS = 4;
const TOOL_TOKENS = 8;

/** How many tokens the prompt of a request has, by estimate. Thinking does not count, as it is not sent again. */
export function countInputTokens(turn: TurnRequest, estimator: TokenEstimator): number {
	const system = turn.system.map((text) => estimator.count(text) + MESSAGE_TOKENS);
	const messages = turn.messages.map((message) => countMessage(message, estimator) + MESSAGE_TOKENS);
	const tools = turn.tools.map(
		({ name, description, inputSchema }) =>
			estimator.count(`${name}\n${description}\n${JSON.stringify(inputSchema)}`) + TOOL_TOKENS,
	);
	return sum([...system, ...messages, ...tools]);
}

function countMessage(message: TurnMessage, estimator: TokenEstimator): number {
	switch (message.role) {
		case "user":
			return countParts(message.content, estimator);
		case "assistant":
			return sum(message.content.map((part) => countAnswerPart(part, estimator)));
		case "tool":
			return sum(message.content.map(({ content }) => countParts(content, estimator) + MESSAGE_TOKENS));
	}
}

function countAnswerPart(
	part: Extract<TurnMessage, { role: "assistant" }>["content"][number],
	estimator: TokenEstimator,
): number {
	switch (part.type) {
		case "text":
			return estimator.count(part.text);
		case "thinking":
			return 0;
		case "tool-call":
			return estimator.count(`${part.name}\n${part.arguments}`) + TOOL_TOKENS;
	}
}

function countParts(parts: readonly (TextPart | ImagePart)[], estimator: TokenEstimator): number {
	return sum(parts.map((part) => (part.type === "image" ? IMAGE_TOKENS : estimator.count(part.text))));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
