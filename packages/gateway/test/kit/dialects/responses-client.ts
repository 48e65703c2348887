import type { EndReason } from "../../../src/turn/event.ts";
import type { AssistantMessage, ImagePart, TextPart, TurnMessage } from "../../../src/turn/request.ts";
import { chatClient, kindOf } from "./chat-client.ts";
import { type Asked, type DialectClient, dataUrl } from "./dialect-client.ts";
import type { ReplyReader } from "./reply-reader.ts";

interface StreamEvent {
	type: string;
	sequence_number: number;
	delta?: string;
	item_id?: string;
	item?: { id: string; type: string; call_id: string; name: string };
	response?: {
		status: string;
		error: { code: string; message: string } | null;
		incomplete_details: { reason: string } | null;
		output: { type: string }[];
		usage: {
			input_tokens: number;
			output_tokens: number;
			input_tokens_details: { cached_tokens: number };
			output_tokens_details: { reasoning_tokens: number };
		};
	};
}

export const responsesClient: DialectClient = {
	name: "Responses",
	path: "/v1/responses",
	countsReasoning: true,
	body: responsesBody,
	reader(answer) {
		let expected = 0;
		return (data) => {
			const event = JSON.parse(data) as StreamEvent;
			if (event.sequence_number !== expected++) throw new Error(`${event.type} is out of order`);
			HANDLERS[event.type]?.(event, answer);
		};
	},
	errorOf: chatClient.errorOf,
};

const HANDLERS: Record<string, (event: StreamEvent, answer: ReplyReader) => void> = {
	"response.output_text.delta": ({ delta }, answer) => answer.say("text", delta!),
	"response.reasoning_summary_text.delta": ({ delta }, answer) => answer.say("thinking", delta!),
	"response.output_item.added": ({ item }, answer) => {
		if (item?.type === "function_call") answer.startCall(item.id, item.call_id, item.name);
	},
	"response.function_call_arguments.delta": ({ item_id, delta }, answer) => answer.callInput(item_id!, delta!),
	"response.completed": readEnd,
	"response.incomplete": readEnd,
	"response.failed": ({ response }, answer) => answer.fail(kindOf(response!.error!.code), response!.error!.message),
};

const REASONS: Record<string, EndReason> = { max_output_tokens: "length", content_filter: "filtered" };

function readEnd({ response }: StreamEvent, answer: ReplyReader): void {
	const { usage, output, incomplete_details: incomplete } = response!;
	answer.closeBlock();
	answer.closeCalls();
	answer.usage({
		inputTokens: usage.input_tokens,
		outputTokens: usage.output_tokens,
		cachedInputTokens: usage.input_tokens_details.cached_tokens,
		reasoningTokens: usage.output_tokens_details.reasoning_tokens,
	});
	const isCalling = output.some(({ type }) => type === "function_call");
	answer.end(incomplete ? REASONS[incomplete.reason]! : isCalling ? "tool-calls" : "stop");
}

function responsesBody(request: Asked): object {
	return {
		model: request.model ?? "composer-1",
		stream: true,
		store: false,
		input: [
			...(request.system ?? []).map((content) => ({ role: "developer", content })),
			...request.messages.flatMap(toItems),
		],
		...(request.tools?.length && {
			tools: request.tools.map(({ name, description, inputSchema }) => ({
				type: "function",
				name,
				description,
				parameters: inputSchema,
			})),
		}),
		...(request.parallelToolCalls === false && { parallel_tool_calls: false }),
	};
}

function toItems(message: TurnMessage): object[] {
	if (message.role === "user") return [{ role: "user", content: message.content.map(partOf) }];
	if (message.role === "assistant") return message.content.map(toItem);
	return message.content.map(({ callId, content }) => ({
		type: "function_call_output",
		call_id: callId,
		output: content.map(partOf),
	}));
}

function toItem(part: AssistantMessage["content"][number]): object {
	switch (part.type) {
		case "text":
			return { type: "message", role: "assistant", content: [{ type: "output_text", text: part.text }] };
		case "thinking":
			return { type: "reasoning", summary: [{ type: "summary_text", text: part.text }] };
		case "tool-call":
			return { type: "function_call", call_id: part.id, name: part.name, arguments: part.arguments };
	}
}

function partOf(part: TextPart | ImagePart): object {
	return part.type === "text"
		? { type: "input_text", text: part.text }
		: { type: "input_image", image_url: dataUrl(part), detail: "auto" };
}
