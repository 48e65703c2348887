import { MAX_PARTS } from "../shared/limits.ts";
import { isAbsent, isListOf, isOneLine, isPlainObject, type PlainObject } from "../shared/plain.ts";
import { type ChatMessage, MAX_ID, MAX_NAME } from "./schema.ts";

/** Whether a message is one of the common forms that `messageSchema` accepts. */
export function isPlainMessage(value: unknown): value is ChatMessage {
	if (!isPlainObject(value)) return false;
	for (const field of RARE) if (!isAbsent(value[field])) return false;
	return FORMS.get(value.role)?.(value) ?? false;
}

const RARE = ["name", "refusal", "function_call", "is_error", "reasoning"];

const FORMS: ReadonlyMap<unknown, (message: PlainObject) => boolean> = new Map([
	["system", isSpoken],
	["developer", isSpoken],
	["user", isSpoken],
	["assistant", isReply],
	["tool", isResult],
]);

function isSpoken(message: PlainObject): boolean {
	return (
		isContent(message.content) &&
		isAbsent(message.tool_calls) &&
		isAbsent(message.tool_call_id) &&
		isAbsent(message.reasoning_content)
	);
}

function isReply({ content, tool_calls: calls, tool_call_id: id, reasoning_content: thinking }: PlainObject): boolean {
	return (
		(isAbsent(content) || isContent(content)) &&
		(isAbsent(calls) || isListOf(calls, isCall, MAX_PARTS)) &&
		(isAbsent(thinking) || typeof thinking === "string") &&
		isAbsent(id)
	);
}

function isResult(message: PlainObject): boolean {
	return (
		isContent(message.content) &&
		isOneLine(message.tool_call_id, MAX_ID) &&
		isAbsent(message.tool_calls) &&
		isAbsent(message.reasoning_content)
	);
}

function isContent(content: unknown): boolean {
	return typeof content === "string" || isListOf(content, isTextPart, MAX_PARTS);
}

function isTextPart(part: unknown): boolean {
	return (
		isPlainObject(part) &&
		part.type === "text" &&
		typeof part.text === "string" &&
		isAbsent(part.refusal) &&
		isAbsent(part.image_url)
	);
}

function isCall(call: unknown): boolean {
	if (!isPlainObject(call) || !isOneLine(call.id, MAX_ID) || !isAbsent(call.custom)) return false;
	const called = call.function;
	return isPlainObject(called) && isOneLine(called.name, MAX_NAME) && typeof called.arguments === "string";
}
