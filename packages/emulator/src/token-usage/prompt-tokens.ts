import type { Call, Message, Turn } from "../brains/brain.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** A picture of the size that models scale large ones down to. */
const IMAGE = 1600;
/** The marks around a message, and around a tool or a call. */
const MESSAGE = 4;
const TOOL = 8;

/** About how many tokens the model is given: everything that it gets to see. */
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

/** What a model writes to call a tool. */
export function callTokens({ name, arguments: args = {} }: Call): number {
	return TOOL + estimateTokens(`${name} ${JSON.stringify(args)}`);
}

/** What the model is given of a tool's result. */
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
