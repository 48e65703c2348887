// The official SDKs, as far as they report what a response cost.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { ToolDefinition, TurnMessage } from "../../src/turn/request.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { messagesClient } from "../kit/dialects/messages-client.ts";
import { responsesClient } from "../kit/dialects/responses-client.ts";
import type { TestGateway } from "../kit/gateway.ts";

export interface Question {
	system?: string[];
	tools?: ToolDefinition[];
	messages: TurnMessage[];
	stop?: string;
	maxTokens?: number;
}

/** A response, and what the client was told that it cost. */
export interface Reported {
	/** The prompt, cached parts included. */
	input: number;
	cached: number;
	output: number;
	/** What the API calls the total; where it has none, the sum. */
	total: number;
	/** The prompt as the beginning of a stream told it, where it tells that. */
	inputAtStart?: number;
	text: string;
	calls: { id: string; name: string; arguments: string }[];
}

export interface UsageClient {
	name: string;
	hasStop: boolean;
	ask(gateway: TestGateway, question: Question, stream: boolean): Promise<Reported>;
}

const NO_RETRY = { maxRetries: 0 };
const openai = ({ url, key }: TestGateway) => new OpenAI({ baseURL: `${url}/v1`, apiKey: key, ...NO_RETRY });
const anthropic = ({ url, key }: TestGateway) => new Anthropic({ baseURL: url, apiKey: key, ...NO_RETRY });

const chat: UsageClient = {
	name: "Chat Completions",
	hasStop: true,
	async ask(gateway, { stop, maxTokens, ...question }, stream) {
		const { completions } = openai(gateway).chat;
		const { stream_options, ...body } = {
			...(chatClient.body(question) as OpenAI.ChatCompletionCreateParamsStreaming),
			...(stop && { stop }),
			...(maxTokens && { max_completion_tokens: maxTokens }),
		};
		const { choices, usage } = stream
			? await completions.stream({ ...body, stream_options }).finalChatCompletion()
			: await completions.create({ ...body, stream: false });
		const { message } = choices[0]!;
		return {
			input: usage!.prompt_tokens,
			cached: usage!.prompt_tokens_details!.cached_tokens!,
			output: usage!.completion_tokens,
			total: usage!.total_tokens,
			text: message.content ?? "",
			calls: (message.tool_calls ?? []).flatMap((call) =>
				call.type === "function" ? [{ id: call.id, ...call.function }] : [],
			),
		};
	},
};

const responses: UsageClient = {
	name: "Responses",
	hasStop: false,
	async ask(gateway, { maxTokens, ...question }, stream) {
		const client = openai(gateway).responses;
		const body = {
			...(responsesClient.body(question) as OpenAI.Responses.ResponseCreateParamsStreaming),
			...(maxTokens && { max_output_tokens: maxTokens }),
		};
		const { output, output_text, usage } = stream
			? await client.stream(body as never).finalResponse()
			: await client.create({ ...body, stream: false });
		return {
			input: usage!.input_tokens,
			cached: usage!.input_tokens_details.cached_tokens,
			output: usage!.output_tokens,
			total: usage!.total_tokens,
			text: output_text,
			calls: output.flatMap((item) =>
				item.type === "function_call" ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
			),
		};
	},
};

const messages: UsageClient = {
	name: "Messages",
	hasStop: true,
	async ask(gateway, question, stream) {
		const client = anthropic(gateway).messages;
		const { stream: _, ...body } = messagesBody(question);
		let inputAtStart: number | undefined;
		const streamed = () =>
			client.stream(body).on("streamEvent", (event) => {
				if (event.type === "message_start") inputAtStart = inputOf(event.message.usage);
			});
		const { content, usage } = stream ? await streamed().finalMessage() : await client.create(body);
		return {
			input: inputOf(usage),
			cached: usage.cache_read_input_tokens!,
			output: usage.output_tokens,
			total: inputOf(usage) + usage.output_tokens,
			...(inputAtStart !== undefined && { inputAtStart }),
			text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
			calls: content.flatMap((block) =>
				block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
			),
		};
	},
};

export const USAGE_CLIENTS = [chat, responses, messages];

/** The answer of `count_tokens` to a question. */
export async function countTokens(gateway: TestGateway, question: Question): Promise<number> {
	const { max_tokens: _, stream: __, ...body } = messagesBody(question);
	return (await anthropic(gateway).messages.countTokens(body)).input_tokens;
}

function messagesBody({ stop, maxTokens, ...question }: Question): Anthropic.MessageCreateParamsNonStreaming {
	return {
		...(messagesClient.body(question) as Anthropic.MessageCreateParamsNonStreaming),
		max_tokens: maxTokens ?? 8000,
		...(stop && { stop_sequences: [stop] }),
	};
}

const inputOf = (usage: Anthropic.Usage) =>
	usage.input_tokens + usage.cache_read_input_tokens! + usage.cache_creation_input_tokens!;
