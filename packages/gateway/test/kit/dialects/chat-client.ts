import { ERROR_KINDS, type ErrorKind } from "../../../src/turn/error-kinds.ts";
import type { EndReason } from "../../../src/turn/event.ts";
import { type ImagePart, type TextPart, type TurnMessage, textOf } from "../../../src/turn/request.ts";
import { type Asked, type DialectClient, dataUrl } from "./dialect-client.ts";
import type { ReplyReader } from "./reply-reader.ts";

interface Chunk {
	error?: { message: string; code: string };
	choices?: {
		delta: {
			content?: string | null;
			reasoning_content?: string;
			tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
		};
		finish_reason: string | null;
	}[];
	usage?: {
		prompt_tokens: number;
		completion_tokens: number;
		prompt_tokens_details: { cached_tokens: number };
		completion_tokens_details: { reasoning_tokens: number };
	};
}

const REASONS: Record<string, EndReason> = {
	stop: "stop",
	length: "length",
	tool_calls: "tool-calls",
	content_filter: "filtered",
};

export const chatClient: DialectClient = {
	name: "Chat Completions",
	path: "/v1/chat/completions",
	countsReasoning: true,
	body: chatBody,
	reader(answer) {
		let end: EndReason | undefined;
		return (data) => {
			if (data === "[DONE]") return answer.end(end!);
			const chunk = JSON.parse(data) as Chunk;
			if (chunk.error) return answer.fail(kindOf(chunk.error.code), chunk.error.message);
			const [choice] = chunk.choices ?? [];
			if (choice) readDelta(choice.delta, answer);
			if (choice?.finish_reason) {
				answer.closeBlock();
				answer.closeCalls();
				end = REASONS[choice.finish_reason];
			}
			if (chunk.usage) answer.usage(usageOf(chunk.usage));
		};
	},
	errorOf(body) {
		const { error } = body as { error: { message: string; code: string } };
		return { kind: kindOf(error.code), message: error.message };
	},
};

/** The kind of an error that OpenAI's APIs give this code. */
export function kindOf(code: string): ErrorKind {
	return (Object.keys(ERROR_KINDS) as ErrorKind[]).find((kind) => ERROR_KINDS[kind].openai.code === code)!;
}

function readDelta(delta: NonNullable<Chunk["choices"]>[number]["delta"], answer: ReplyReader): void {
	if (delta.reasoning_content) answer.say("thinking", delta.reasoning_content);
	if (delta.content) answer.say("text", delta.content);
	for (const { index, id, function: call } of delta.tool_calls ?? []) {
		if (id !== undefined) answer.startCall(index, id, call!.name!);
		if (call?.arguments) answer.callInput(index, call.arguments);
	}
}

function usageOf(usage: NonNullable<Chunk["usage"]>) {
	return {
		inputTokens: usage.prompt_tokens,
		outputTokens: usage.completion_tokens,
		cachedInputTokens: usage.prompt_tokens_details.cached_tokens,
		reasoningTokens: usage.completion_tokens_details.reasoning_tokens,
	};
}

function chatBody(request: Asked): object {
	return {
		model: request.model ?? "composer-1",
		stream: true,
		stream_options: { include_usage: true },
		messages: [
			...(request.system ?? []).map((content) => ({ role: "system", content })),
			...request.messages.flatMap(toChat),
		],
		...(request.tools?.length && {
			tools: request.tools.map(({ name, description, inputSchema }) => ({
				type: "function",
				function: { name, description, parameters: inputSchema },
			})),
		}),
		...(request.parallelToolCalls === false && { parallel_tool_calls: false }),
	};
}

function toChat(message: TurnMessage): object[] {
	if (message.role === "user") return [{ role: "user", content: message.content.map(partOf) }];
	if (message.role === "tool") {
		return message.content.map(({ callId, content }) => ({
			role: "tool",
			tool_call_id: callId,
			content: content.map(partOf),
		}));
	}
	const calls = message.content.flatMap((part) =>
		part.type === "tool-call"
			? [{ id: part.id, type: "function", function: { name: part.name, arguments: part.arguments } }]
			: [],
	);
	return [
		{ role: "assistant", content: textOf(message.content) || null, ...(calls.length > 0 && { tool_calls: calls }) },
	];
}

function partOf(part: TextPart | ImagePart): object {
	return part.type === "text" ? part : { type: "image_url", image_url: { url: dataUrl(part) } };
}
