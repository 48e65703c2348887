import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type AIMessage, type AIMessageChunk, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import {
	addUsage,
	type ChatOptions,
	type Client,
	dataUrl,
	NOTHING_USED,
	type Setup,
	type TestTool,
	type Usage,
} from "./client.ts";

/** LangChain.js with `@langchain/openai`: Chat Completions, which have no place for thinking in this library. */
export const langchainChat = langchain((setup) => openaiModel(setup, false), { showsReasoning: false });

/** The same package: Responses. */
export const langchainResponses = langchain((setup) => openaiModel(setup, true), {});

/** With `@langchain/anthropic`: Messages. */
export const langchainAnthropic = langchain(
	({ url, apiKey, fetch, model }) =>
		new ChatAnthropic({ model, apiKey, anthropicApiUrl: url, maxRetries: 0, clientOptions: { fetch } }),
	{ countsReasoning: false, estimatesStreamedInput: true },
);

function openaiModel({ url, apiKey, fetch, model }: Setup, useResponsesApi: boolean) {
	const configuration = { baseURL: `${url}/v1`, fetch };
	return new ChatOpenAI({ model, apiKey, maxRetries: 0, useResponsesApi, configuration });
}

type Model = Pick<Required<BaseChatModel>, "bindTools" | "invoke" | "stream">;

/** A model with tools bound to it, and the loop that the library's documentation shows. */
function langchain(modelOf: (setup: Setup) => Model, differences: Partial<Client>): Client {
	return {
		open(setup, given, stream) {
			const tools = given.map(toTool);
			const model = modelOf(setup).bindTools(tools);
			const messages: BaseMessage[] = [];
			return {
				async say(prompt) {
					messages.push(new HumanMessage(prompt));
					let usage: Usage = NOTHING_USED;
					for (;;) {
						const answer: AIMessageChunk = stream
							? await whole(await model.stream(messages))
							: await model.invoke(messages);
						messages.push(answer);
						usage = addUsage(usage, toUsage(answer));
						if (!answer.tool_calls?.length) return { text: answer.text, usage };
						for (const call of answer.tool_calls) {
							messages.push(await tools.find(({ name }) => name === call.name)!.invoke(call));
						}
					}
				},
			};
		},

		async chat(setup, prompt, { stream, image, signal, onText }) {
			const model = modelOf(setup);
			const messages = [new HumanMessage({ content: contentOf(prompt, image) })];
			const answer = stream
				? await whole(await model.stream(messages, { signal }), onText)
				: await model.invoke(messages, { signal });
			const thoughts = answer.contentBlocks.map((block) => (block.type === "reasoning" ? block.reasoning : ""));
			return { text: answer.text, reasoning: thoughts.join("") || undefined, usage: toUsage(answer) };
		},

		errorOf(error) {
			const { constructor: kind, name, message, status } = error as Error & { status?: number };
			return { name: name === "Error" ? kind.name : name, status, message };
		},

		errors: {
			badKey: "AuthenticationError",
			noModel: "NotFoundError",
			rateLimit: "RateLimitError",
			upstream: "InternalServerError",
			midStream: "APIError",
			aborted: /Abort/,
		},
		showsReasoning: true,
		countsReasoning: true,
		...differences,
	};
}

async function whole(stream: AsyncIterable<AIMessageChunk>, onText?: (piece: string) => void): Promise<AIMessageChunk> {
	let all: AIMessageChunk | undefined;
	for await (const chunk of stream) {
		all = all ? concat(all, chunk) : chunk;
		if (chunk.text) onText?.(chunk.text);
	}
	return all!;
}

function toTool({ name, description, parameters, run }: TestTool) {
	return tool((args) => run(args), { name, description, schema: parameters });
}

function contentOf(prompt: string, image: ChatOptions["image"]) {
	return [
		{ type: "text", text: prompt },
		...(image ? [{ type: "image_url", image_url: { url: dataUrl(image) } }] : []),
	];
}

function toUsage({ usage_metadata: usage }: AIMessage | AIMessageChunk): Usage {
	return {
		input: usage?.input_tokens,
		output: usage?.output_tokens,
		cached: usage?.input_token_details?.cache_read,
		reasoning: usage?.output_token_details?.reasoning,
	};
}
