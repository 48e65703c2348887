import type { Sliced } from "../time/slices.ts";
import type {
	AssistantMessage,
	ImagePart,
	TextPart,
	ToolDefinition,
	TurnMessage,
	TurnRequest,
} from "../turn/request.ts";
import { countShortTexts, countTexts, type TokenEstimator } from "./token-estimate.ts";

/** The cost of an image of the largest size that models accept. Decoding images for their real size is not worth it. */
export const IMAGE_TOKENS = 1600;
/** The cost of the markup around a message, and around a tool. */
export const MESSAGE_TOKENS = 4;
export const TOOL_TOKENS = 8;
const MOST_SHORT_MESSAGES = 16;

/** What costs tokens in a prompt: texts, which are counted, and markup and images, which have a fixed cost. */
interface Costs {
	texts: string[];
	fixed: number;
}

/** Estimates how many tokens the prompt of a request has. Thinking does not count, because it is not sent again. */
export function* countInputTokens(turn: TurnRequest, estimator: TokenEstimator): Sliced<number> {
	const costs: Costs = { texts: [], fixed: 0 };
	for (const text of turn.system) add(costs, text, MESSAGE_TOKENS);
	for (const tool of turn.tools) {
		add(costs, toolText(tool), TOOL_TOKENS);
		yield;
	}
	for (const message of turn.messages) addMessage(costs, message);
	return costs.fixed + (yield* countTexts(costs.texts, estimator));
}

/** The same figure at once, for a short prompt without tools; undefined for any other. */
export function countShortPrompt(
	{ system, tools, messages }: TurnRequest,
	estimator: TokenEstimator,
): number | undefined {
	if (tools.length > 0 || messages.length > MOST_SHORT_MESSAGES) return undefined;
	const costs: Costs = { texts: [], fixed: 0 };
	for (const text of system) add(costs, text, MESSAGE_TOKENS);
	for (const message of messages) addMessage(costs, message);
	const tokens = countShortTexts(costs.texts, estimator);
	return tokens === undefined ? undefined : costs.fixed + tokens;
}

/** Estimates how many tokens some messages of a prompt have. */
export function* countMessages(messages: readonly TurnMessage[], estimator: TokenEstimator): Sliced<number> {
	const costs: Costs = { texts: [], fixed: 0 };
	for (const message of messages) addMessage(costs, message);
	return costs.fixed + (yield* countTexts(costs.texts, estimator));
}

/** The text that a model writes to call a tool. */
export const callText = (name: string, args: string) => `${name}\n${args}`;

const toolText = ({ name, description, inputSchema }: ToolDefinition) =>
	`${name}\n${description}\n${JSON.stringify(inputSchema)}`;

function addMessage(costs: Costs, message: TurnMessage): void {
	costs.fixed += MESSAGE_TOKENS;
	switch (message.role) {
		case "user":
			return addParts(costs, message.content);
		case "assistant":
			return addReply(costs, message);
		case "tool":
			for (const { content } of message.content) {
				costs.fixed += MESSAGE_TOKENS;
				addParts(costs, content);
			}
	}
}

function addReply(costs: Costs, { content }: AssistantMessage): void {
	for (const part of content) {
		if (part.type === "text") add(costs, part.text);
		if (part.type === "tool-call") add(costs, callText(part.name, part.arguments), TOOL_TOKENS);
	}
}

function addParts(costs: Costs, parts: readonly (TextPart | ImagePart)[]): void {
	for (const part of parts) {
		if (part.type === "image") costs.fixed += IMAGE_TOKENS;
		else add(costs, part.text);
	}
}

function add(costs: Costs, text: string, fixed = 0): void {
	// A list that begins with its first text takes no more memory than that: V8 makes room for seventeen otherwise.
	if (costs.texts.length === 0) costs.texts = [text];
	else costs.texts.push(text);
	costs.fixed += fixed;
}
