import { type AIMessage, type AIMessageChunk, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { concat } from "@langchain/core/utils/stream";
import { ChatOpenAI } from "@langchain/openai";
import type { ChatOptions, Client, Setup, Usage } from "./client.ts";

const modelOf = ({ baseURL, apiKey, fetch, model }: Setup) =>
	new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL, fetch } });

/** LangChain.js: a model with tools bound to it, and the loop that its documentation shows. */
export const langchain: Client = {
	async loop(setup, prompt, { run, name, description, parameters }, stream) {
		const step = tool((args) => run(args as { n: number }), { name, description, schema: parameters });
		const model = modelOf(setup).bindTools([step]);
		const messages: BaseMessage[] = [new HumanMessage(prompt)];
		const total: Usage = { input: 0, output: 0, cached: 0, reasoning: 0 };
		for (;;) {
			const answer = stream ? await whole(await model.stream(messages)) : await model.invoke(messages);
			messages.push(answer);
			addUsage(total, toUsage(answer));
			if (!answer.tool_calls?.length) return { text: String(answer.content), usage: total };
			for (const call of answer.tool_calls) messages.push(await step.invoke(call));
		}
	},

	async chat(setup, prompt, { stream, image, signal, onText }) {
		const model = modelOf(setup);
		const messages = [new HumanMessage({ content: contentOf(prompt, image) })];
		const answer = stream
			? await whole(await model.stream(messages, { signal }), onText)
			: await model.invoke(messages, { signal });
		return { text: String(answer.content), reasoning: undefined, usage: toUsage(answer) };
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
	// Chat Completions have no place for it in this library.
	showsReasoning: false,
};

async function whole(stream: AsyncIterable<AIMessageChunk>, onText?: (piece: string) => void): Promise<AIMessageChunk> {
	let all: AIMessageChunk | undefined;
	for await (const chunk of stream) {
		all = all ? concat(all, chunk) : chunk;
		if (chunk.content) onText?.(String(chunk.content));
	}
	return all!;
}

function contentOf(prompt: string, image: ChatOptions["image"]) {
	const url = image && `data:${image.mediaType};base64,${image.data.toString("base64")}`;
	return [{ type: "text", text: prompt }, ...(url ? [{ type: "image_url", image_url: { url } }] : [])];
}

function toUsage({ usage_metadata: usage }: AIMessage | AIMessageChunk): Usage {
	return {
		input: usage?.input_tokens,
		output: usage?.output_tokens,
		cached: usage?.input_token_details?.cache_read,
		reasoning: usage?.output_token_details?.reasoning,
	};
}

function addUsage(total: Usage, usage: Usage): void {
	for (const field of ["input", "output", "cached", "reasoning"] as const) {
		total[field] = (total[field] ?? 0) + (usage[field] ?? 0);
	}
}
