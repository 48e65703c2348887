import OpenAI, { APIError } from "openai";
import type { ChatCompletionContentPart } from "openai/resources/chat/completions";
import type { CompletionUsage } from "openai/resources/completions";
import type { ChatOptions, Client, Setup, Usage } from "./client.ts";

export const connect = ({ baseURL, apiKey, fetch }: Setup) => new OpenAI({ baseURL, apiKey, fetch, maxRetries: 0 });

/** `openai`: its tool runner, its stream helper. */
export const openai: Client = {
	async loop(setup, prompt, { run, ...tool }, stream) {
		const { completions } = connect(setup).chat;
		const request = {
			model: setup.model,
			messages: [{ role: "user" as const, content: prompt }],
			tools: [{ type: "function" as const, function: { ...tool, parse: JSON.parse, function: run } }],
		};
		const runner = stream
			? completions.runTools({ ...request, stream, stream_options: { include_usage: true } })
			: completions.runTools(request);
		return { text: (await runner.finalContent()) ?? "", usage: toUsage(await runner.totalUsage()) };
	},

	async chat(setup, prompt, { stream, image, signal, onText }) {
		const request = { model: setup.model, messages: [{ role: "user" as const, content: contentOf(prompt, image) }] };
		const { completions } = connect(setup).chat;
		if (!stream) {
			const { choices, usage } = await completions.create(request, { signal });
			const message = choices[0]!.message as { content: string | null; reasoning_content?: string };
			return { text: message.content ?? "", reasoning: message.reasoning_content, usage: toUsage(usage) };
		}
		let reasoning: string | undefined;
		const streaming = completions.stream({ ...request, stream_options: { include_usage: true } }, { signal });
		streaming.on("content", (piece) => onText?.(piece));
		streaming.on("chunk", ({ choices }) => {
			const piece = (choices[0]?.delta as { reasoning_content?: string } | undefined)?.reasoning_content;
			if (piece) reasoning = (reasoning ?? "") + piece;
		});
		const { choices, usage } = await streaming.finalChatCompletion();
		return { text: choices[0]!.message.content ?? "", reasoning, usage: toUsage(usage) };
	},

	errorOf(error) {
		const { constructor: kind, message } = error as Error;
		return { name: kind.name, status: error instanceof APIError ? error.status : undefined, message };
	},

	errors: {
		badKey: "AuthenticationError",
		noModel: "NotFoundError",
		rateLimit: "RateLimitError",
		upstream: "InternalServerError",
		midStream: "APIError",
		aborted: /^APIUserAbortError$/,
	},
	showsReasoning: true,
};

function contentOf(prompt: string, image: ChatOptions["image"]): string | ChatCompletionContentPart[] {
	if (!image) return prompt;
	const url = `data:${image.mediaType};base64,${image.data.toString("base64")}`;
	return [
		{ type: "text", text: prompt },
		{ type: "image_url", image_url: { url } },
	];
}

function toUsage(usage: CompletionUsage | undefined | null): Usage {
	return {
		input: usage?.prompt_tokens,
		output: usage?.completion_tokens,
		cached: usage?.prompt_tokens_details?.cached_tokens,
		reasoning: usage?.completion_tokens_details?.reasoning_tokens,
	};
}
