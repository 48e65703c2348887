import type { CollectedTurn } from "../../turn/collect.ts";
import type { ToolCallPart } from "../../turn/request.ts";
import { type ChatAnnotation, chatAnnotations } from "../search/chat-annotations.ts";
import { foundIn } from "../search/reply-parts.ts";
import { endOf } from "../shared/turn-end.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { type CompletionUsage, type FinishReason, toCompletionUsage, toFinishReason } from "./finish.ts";

/** A constant. OpenAI reports changes of its backend in it, which the upstream does not report. */
export const SYSTEM_FINGERPRINT = "fp_cursorwire";

export interface ChatCompletion {
	id: string;
	object: "chat.completion";
	created: number;
	model: string;
	choices: ChatChoice[];
	usage: CompletionUsage;
	system_fingerprint: string;
}

interface ChatChoice {
	index: number;
	message: ChatReplyMessage;
	logprobs: null;
	finish_reason: FinishReason;
}

export interface ChatReplyMessage {
	role: "assistant";
	content: string | null;
	refusal: null;
	annotations?: ChatAnnotation[];
	/** Thinking, by the two names that clients look for. */
	reasoning_content?: string;
	reasoning?: string;
	tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
	function_call?: { name: string; arguments: string };
}

export interface ChatReplyOptions {
	id: string;
	/** Seconds since 1970. */
	created: number;
	legacyFunctions: boolean;
}

/** A whole reply: one choice for each turn. */
export function encodeChatCompletion(turns: readonly CollectedTurn[], options: ChatReplyOptions): ChatCompletion {
	return {
		id: options.id,
		object: "chat.completion",
		created: options.created,
		model: wellFormed(turns[0]?.model ?? ""),
		choices: turns.map((turn, index) => encodeChoice(turn, index, options.legacyFunctions)),
		usage: toCompletionUsage(turns.map(({ usage }) => usage)),
		system_fingerprint: SYSTEM_FINGERPRINT,
	};
}

function encodeChoice(turn: CollectedTurn, index: number, legacyFunctions: boolean): ChatChoice {
	return {
		index,
		message: encodeMessage(turn, legacyFunctions),
		logprobs: null,
		finish_reason: toFinishReason(endOf(turn).reason, legacyFunctions),
	};
}

function encodeMessage(turn: CollectedTurn, legacyFunctions: boolean): ChatReplyMessage {
	const { content } = turn;
	const textOfType = (type: "text" | "thinking") =>
		wellFormed(content.map((part) => (part.type === type ? part.text : "")).join(""));
	const text = textOfType("text");
	const thinking = textOfType("thinking");
	const calls = content.filter((part) => part.type === "tool-call");
	const annotations = chatAnnotations(text, foundIn(turn));
	return {
		role: "assistant",
		content: text === "" && calls.length > 0 ? null : text,
		refusal: null,
		...(annotations.length > 0 && { annotations }),
		...(thinking && { reasoning_content: thinking, reasoning: thinking }),
		...encodeCalls(calls, legacyFunctions),
	};
}

function encodeCalls(
	calls: readonly ToolCallPart[],
	legacyFunctions: boolean,
): Pick<ChatReplyMessage, "tool_calls" | "function_call"> {
	const [first] = calls;
	if (!first) return {};
	// The older form has room for one call, which is why decoding asks the model for no more.
	if (legacyFunctions) return { function_call: toFunction(first) };
	return { tool_calls: calls.map((call) => ({ id: call.id, type: "function", function: toFunction(call) })) };
}

function toFunction(call: ToolCallPart): { name: string; arguments: string } {
	return { name: call.name, arguments: wellFormed(call.arguments) };
}
