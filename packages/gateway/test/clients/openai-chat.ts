import type { ChatCompletionContentPart, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { CompletionUsage } from "openai/resources/completions";
import { type ChatOptions, type Client, dataUrl, type Usage } from "./client.ts";
import { connect, errorOf, errors } from "./openai-sdk.ts";

/** `openai`, Chat Completions: its tool runner, its stream helper. */
export const openaiChat: Client = {
	open(setup, tools, stream) {
		const { completions } = connect(setup).chat;
		let messages: ChatCompletionMessageParam[] = [];
		return {
			async say(prompt) {
				const request = {
					model: setup.model,
					messages: [...messages, { role: "user" as const, content: prompt }],
					tools: tools.map(({ run, ...tool }) => ({
						type: "function" as const,
						function: { ...tool, parse: JSON.parse, function: run },
					})),
				};
				const options = { maxChatCompletions: 100 };
				const runner = stream
					? completions.runTools({ ...request, stream, stream_options: { include_usage: true } }, options)
					: completions.runTools(request, options);
				const text = (await runner.finalContent()) ?? "";
				messages = runner.messages;
				return { text, usage: toUsage(await runner.totalUsage()) };
			},
		};
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

	errorOf,
	errors,
	showsReasoning: true,
	countsReasoning: true,
};

function contentOf(prompt: string, image: ChatOptions["image"]): string | ChatCompletionContentPart[] {
	if (!image) return prompt;
	return [
		{ type: "text", text: prompt },
		{ type: "image_url", image_url: { url: dataUrl(image) } },
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
