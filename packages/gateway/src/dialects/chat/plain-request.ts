import { MAX_MESSAGES, MAX_TOOLS } from "../shared/limits.ts";
import { isAbsent, isListOf, isOneLine, isPlainObject } from "../shared/plain.ts";
import { type ChatRequestBody, chatRequestSchema, MAX_NAME } from "./schema.ts";

/** Whether a body is one of the common forms that `chatRequestSchema` accepts. Its messages are not looked at. */
export function isPlainRequest(body: unknown): body is ChatRequestBody {
	if (!isPlainObject(body) || isAbsent(body.model) || isAbsent(body.messages)) return false;
	for (const field in body) {
		const value = body[field];
		if (isAbsent(value)) continue;
		const isPlain = COMMON.get(field);
		if (isPlain ? !isPlain(value) : NAMED.has(field)) return false;
	}
	return true;
}

/** Fields that are not named in the schema may have any value. */
const NAMED: ReadonlySet<string> = new Set(Object.keys(chatRequestSchema.shape));

const isFlag = (value: unknown) => typeof value === "boolean";
const isLimit = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= -1;
const isWord = (value: unknown) => isOneLine(value, 64);
const isHint = (value: unknown) => isOneLine(value, 1024);

const COMMON: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
	["model", (value: unknown) => isOneLine(value, MAX_NAME) && value !== ""],
	["messages", (value) => Array.isArray(value) && value.length <= MAX_MESSAGES],
	["tools", (value) => isListOf(value, isTool, MAX_TOOLS)],
	["tool_choice", isWord],
	["parallel_tool_calls", isFlag],
	["stream", isFlag],
	["stream_options", isStreamOptions],
	["temperature", Number.isFinite],
	["top_p", Number.isFinite],
	["frequency_penalty", Number.isFinite],
	["presence_penalty", Number.isFinite],
	["seed", Number.isFinite],
	["max_tokens", isLimit],
	["max_completion_tokens", isLimit],
	["reasoning_effort", isWord],
	["n", (value) => value === 1],
	["user", isHint],
	["prompt_cache_key", isHint],
	["store", isFlag],
]);

function isStreamOptions(value: unknown): boolean {
	return isPlainObject(value) && (isAbsent(value.include_usage) || isFlag(value.include_usage));
}

function isTool(tool: unknown): boolean {
	if (!isPlainObject(tool) || tool.type !== "function" || !isPlainObject(tool.function)) return false;
	const { name, description, parameters, strict } = tool.function;
	return (
		typeof name === "string" &&
		(isAbsent(description) || typeof description === "string") &&
		(isAbsent(parameters) || isPlainObject(parameters)) &&
		(isAbsent(strict) || isFlag(strict))
	);
}
