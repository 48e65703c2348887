import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
	APICallError,
	generateText,
	jsonSchema,
	type LanguageModelUsage,
	type ModelMessage,
	stepCountIs,
	streamText,
	tool,
} from "ai";
import type { ChatOptions, Client, Setup, TestTool, Usage } from "./client.ts";

const modelOf = ({ baseURL, apiKey, fetch, model }: Setup) =>
	createOpenAICompatible({ name: "cursorwire", baseURL, apiKey, fetch, includeUsage: true })(model);

/** The AI SDK: `generateText` and `streamText`, which run tools by themselves. */
export const aiSdk: Client = {
	async loop(setup, prompt, given, stream) {
		const request = {
			model: modelOf(setup),
			prompt,
			tools: { [given.name]: toTool(given) },
			stopWhen: stepCountIs(10),
			maxRetries: 0,
		};
		if (!stream) {
			const { text, totalUsage } = await generateText(request);
			return { text, usage: toUsage(totalUsage) };
		}
		const errors: unknown[] = [];
		const result = streamText({ ...request, onError: ({ error }) => void errors.push(error) });
		await result.consumeStream();
		if (errors.length > 0) throw errors[0];
		return { text: await result.text, usage: toUsage(await result.totalUsage) };
	},

	async chat(setup, prompt, { stream, image, signal, onText }) {
		const request = {
			model: modelOf(setup),
			messages: [messageOf(prompt, image)],
			maxRetries: 0,
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
};

/** The error that was told in every way that the library has for it. */
async function toldError(errors: unknown[], result: { finishReason: PromiseLike<string> }): Promise<unknown> {
	const [error] = errors;
	// A request that failed before it began has no steps, and no reason why they ended.
	const finish = await Promise.resolve(result.finishReason).catch(() => "error");
	const isTold = errors.length === 2 && errors[1] === error && finish === "error";
	return isTold ? error : new Error(`told ${errors.length} times, and ${finish} as the reason of the end`);
}

function toTool({ description, parameters, run }: TestTool) {
	return tool({
		description,
		inputSchema: jsonSchema<{ n: number }>(parameters),
		execute: (args) => run(args),
	});
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

function toUsage(usage: LanguageModelUsage): Usage {
	return {
		input: usage.inputTokens,
		output: usage.outputTokens,
		cached: usage.cachedInputTokens,
		reasoning: usage.reasoningTokens,
	};
}
