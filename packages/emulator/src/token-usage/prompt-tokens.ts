import type { Call, Message, Turn } from "../brains/brain.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** An image of the size to which models scale down large ones. */
const IMAGE = 1600;
/** The overhead of a message, and of a tool or a call. */
const MESSAGE = 4;
const TOOL = 8;

/** Estimates the tokens of everything that the model reads. */
export function promptTokens({
	system,
	rules,
	tools,
	messages,
}: Pick<Turn, "system" | "rules" | "tools" | "messages">): number {
	let tokens = 0;
	for (const text of [...system, ...rules]) tokens += MESSAGE + estimateTokens(text);
	for (const { name, description, inputSchema } of tools) {
		tokens += TOOL + estimateTokens(`${name} ${description} ${JSON.stringify(inputSchema)}`);
	}
	for (const { content } of messages) {
		tokens += MESSAGE;
		for (const part of content) tokens += partTokens(part);
	}
	return tokens;
}

/** Tokens that a model writes to call a tool. */
export function callTokens({ name, arguments: args = {} }: Call): number {
	return TOOL + estimateTokens(`${name} ${JSON.stringify(args)}`);
}

/** Tokens that the model reads for a tool's result. */
export function resultTokens(result: unknown): number {
	return 2 * MESSAGE + estimateTokens(typeof result === "string" ? result : JSON.stringify(result ?? ""));
}

function partTokens(part: Message["content"][number]): number {
	switch (part.type) {
		case "image":
			return IMAGE;
		case "tool-call":
			return callTokens({ name: part.toolName, arguments: part.args as Record<string, unknown> });
		case "tool-result":
			return MESSAGE + estimateTokens(typeof part.result === "string" ? part.result : JSON.stringify(part.result));
		case "reasoning":
			return 0;
		default:
			return estimateTokens(part.text);
	}
}
