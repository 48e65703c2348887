import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
	APICallError,
	generateText,
	jsonSchema,
	type LanguageModel,
	type LanguageModelUsage,
	type ModelMessage,
	stepCountIs,
	streamText,
	tool,
} from "ai";
import type { ChatOptions, Client, Setup, TestTool, Usage } from "./client.ts";

/** The AI SDK with `@ai-sdk/openai-compatible`: Chat Completions. */
export const aiSdkCompatible = aiSdk(({ url, model, ...rest }) =>
	createOpenAICompatible({ name: "cursorwire", baseURL: `${url}/v1`, ...rest, includeUsage: true })(model),
);

/** With `@ai-sdk/openai`: Responses. It leaves `store` unset and names earlier items by their ids. */
export const aiSdkOpenai = aiSdk(({ url, model, ...rest }) =>
	createOpenAI({ baseURL: `${url}/v1`, ...rest }).responses(model),
);

/** With `@ai-sdk/anthropic`: Messages. */
export const aiSdkAnthropic = aiSdk(({ url, model, ...rest }) =>
	createAnthropic({ baseURL: `${url}/v1`, ...rest })(model),
);

/** The provider for Anthropic knows no limit of a model of ours, and says so each time. */
const OPTIONS = { maxRetries: 0, maxOutputTokens: 8000 };

/** `generateText` and `streamText`, which run tools by themselves. */
function aiSdk(modelOf: (setup: Setup) => LanguageModel): Client {
	return {
		open(setup, given, stream) {
			const messages: ModelMessage[] = [];
			const tools = Object.fromEntries(given.map((one) => [one.name, toTool(one)]));
			return {
				async say(prompt) {
					messages.push({ role: "user", content: prompt });
					const request = { model: modelOf(setup), messages, tools, ...OPTIONS, stopWhen: stepCountIs(10) };
					const errors: unknown[] = [];
					const result = stream
						? streamText({ ...request, onError: ({ error }) => void errors.push(error) })
						: await generateText(request);
					if ("consumeStream" in result) await result.consumeStream();
					if (errors.length > 0) throw errors[0];
					messages.push(...(await result.response).messages);
					return { text: await result.text, usage: toUsage(await result.totalUsage) };
				},
			};
		},

		async chat(setup, prompt, { stream, image, signal, onText }) {
			const request = {
				model: modelOf(setup),
				messages: [messageOf(prompt, image)],
				...OPTIONS,
				...(signal && { abortSignal: signal }),
			};
			if (!stream) {
				const { text, reasoningText, usage } = await generateText(request);
				return { text, reasoning: reasoningText, usage: toUsage(usage) };
			}
			// Errors are parts of the stream and reach `onError`; the library throws none of them.
			const errors: unknown[] = [];
			const result = streamText({ ...request, onError: ({ error }) => void errors.push(error) });
			for await (const part of result.fullStream) {
				if (part.type === "text-delta") onText?.(part.text);
				if (part.type === "error") errors.push(part.error);
				if (part.type === "abort") throw signal?.reason;
			}
			if (errors.length > 0) throw await toldError(errors, result);
			return { text: await result.text, reasoning: await result.reasoningText, usage: toUsage(await result.usage) };
		},

		errorOf(error) {
			const { message } = error as Error;
			if (APICallError.isInstance(error)) return { name: "APICallError", status: error.statusCode, message };
			return { name: error instanceof Error ? error.name : "error part", status: undefined, message };
		},

		errors: {
			badKey: "APICallError",
			noModel: "APICallError",
			rateLimit: "APICallError",
			upstream: "APICallError",
			midStream: "error part",
			aborted: /^AbortError$/,
		},
		showsReasoning: true,
		countsReasoning: true,
	};
}

/** The error that was told in every way that the library has for it. */
async function toldError(errors: unknown[], result: { finishReason: PromiseLike<string> }): Promise<unknown> {
	const [error] = errors;
	// A request that failed before it began has no steps, and no reason why they ended.
	const finish = await Promise.resolve(result.finishReason).catch(() => "error");
	const isTold = errors.length === 2 && errors[1] === error && finish === "error";
	return isTold ? error : new Error(`told ${errors.length} times, and ${finish} as the reason of the end`);
}

function toTool({ description, parameters, run }: TestTool) {
	return tool({ description, inputSchema: jsonSchema(parameters), execute: (args) => run(args) });
}

function messageOf(prompt: string, image: ChatOptions["image"]): ModelMessage {
	if (!image) return { role: "user", content: prompt };
	return {
		role: "user",
		content: [
			{ type: "text", text: prompt },
			{ type: "image", image: image.data, mediaType: image.mediaType },
		],
	};
}

function toUsage({ inputTokens, outputTokens, inputTokenDetails, outputTokenDetails }: LanguageModelUsage): Usage {
	return {
		input: inputTokens,
		output: outputTokens,
		cached: inputTokenDetails.cacheReadTokens,
		reasoning: outputTokenDetails.reasoningTokens,
	};
}
