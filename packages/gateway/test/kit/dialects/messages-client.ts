import { ERROR_KINDS, type ErrorKind } from "../../../src/turn/error-kinds.ts";
import type { EndReason } from "../../../src/turn/event.ts";
import type { AssistantMessage, ImagePart, TextPart, TurnMessage } from "../../../src/turn/request.ts";
import type { Asked, DialectClient } from "./dialect-client.ts";
import type { ReplyReader } from "./reply-reader.ts";

interface StreamEvent {
	type: string;
	index?: number;
	content_block?: { type: string; id: string; name: string };
	delta?: { type: string; text: string; thinking: string; partial_json: string; stop_reason: string };
	usage?: {
		input_tokens: number;
		cache_read_input_tokens: number;
		output_tokens: number;
		output_tokens_details: { thinking_tokens: number };
	};
	error?: { type: string; message: string };
}

const REASONS: Record<string, EndReason> = {
	end_turn: "stop",
	stop_sequence: "stop",
	max_tokens: "length",
	tool_use: "tool-calls",
	refusal: "refusal",
};

export const messagesClient: DialectClient = {
	name: "Messages",
	path: "/v1/messages",
	countsReasoning: true,
	body: messagesBody,
	reader(answer) {
		let end: EndReason | undefined;
		return (data) => {
			const event = JSON.parse(data) as StreamEvent;
			if (event.type === "message_delta") end = REASONS[event.delta!.stop_reason];
			if (event.type === "message_stop") answer.end(end!);
			HANDLERS[event.type]?.(event, answer);
		};
	},
	errorOf(body) {
		const { error } = body as { error: { type: string; message: string } };
		return { kind: kindOf(error), message: error.message };
	},
};

const HANDLERS: Record<string, (event: StreamEvent, answer: ReplyReader) => void> = {
	content_block_start({ index, content_block: block }, answer) {
		if (block?.type === "tool_use") answer.startCall(index!, block.id, block.name);
	},
	content_block_delta({ index, delta }, answer) {
		if (delta?.type === "text_delta") answer.say("text", delta.text);
		if (delta?.type === "thinking_delta") answer.say("thinking", delta.thinking);
		if (delta?.type === "input_json_delta") answer.callInput(index!, delta.partial_json);
	},
	message_delta({ usage }, answer) {
		answer.closeBlock();
		answer.closeCalls();
		answer.usage({
			inputTokens: usage!.input_tokens + usage!.cache_read_input_tokens,
			cachedInputTokens: usage!.cache_read_input_tokens,
			outputTokens: usage!.output_tokens,
			reasoningTokens: usage!.output_tokens_details.thinking_tokens,
		});
	},
	error: ({ error }, answer) => answer.fail(kindOf(error!), error!.message),
};

/** This API has few types of errors and no codes: what happened, and what to do, stand in the message. */
function kindOf({ type, message }: { type: string; message: string }): ErrorKind {
	const kinds = (Object.keys(ERROR_KINDS) as ErrorKind[]).filter((kind) => ERROR_KINDS[kind].anthropic === type);
	const told =
		kinds.find((kind) => message.includes(ERROR_KINDS[kind].sentence)) ??
		kinds.find((kind) => message.includes(ERROR_KINDS[kind].nextStep));
	if (!told) throw new Error(`no kind of error is ${type}: ${message}`);
	return told;
}

function messagesBody(request: Asked): object {
	return {
		model: request.model ?? "composer-1",
		stream: true,
		max_tokens: request.limits?.maxOutputTokens ?? 32_000,
		...(request.system?.length && { system: request.system.map((text) => ({ type: "text", text })) }),
		messages: request.messages.map(toMessage),
		...(request.tools?.length && {
			tools: request.tools.map(({ name, description, inputSchema }) => ({
				name,
				description,
				input_schema: inputSchema,
			})),
		}),
		...(request.parallelToolCalls === false && { tool_choice: { type: "auto", disable_parallel_tool_use: true } }),
	};
}

function toMessage(message: TurnMessage): object {
	if (message.role === "user") return { role: "user", content: message.content.map(partOf) };
	if (message.role === "assistant") return { role: "assistant", content: message.content.map(toBlock) };
	return {
		role: "user",
		content: message.content.map(({ callId, content, isError }) => ({
			type: "tool_result",
			tool_use_id: callId,
			content: content.map(partOf),
			is_error: isError,
		})),
	};
}

function toBlock(part: AssistantMessage["content"][number]): object {
	switch (part.type) {
		case "text":
			return { type: "text", text: part.text };
		case "thinking":
			return { type: "thinking", thinking: part.text, signature: part.signature ?? "" };
		case "tool-call":
			return { type: "tool_use", id: part.id, name: part.name, input: JSON.parse(part.arguments) };
	}
}

function partOf(part: TextPart | ImagePart): object {
	if (part.type === "text") return { type: "text", text: part.text };
	const data = Buffer.from(part.data).toString("base64");
	return { type: "image", source: { type: "base64", media_type: part.mediaType, data } };
}
