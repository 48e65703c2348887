import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import type { BetaMessageParam } from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type {
	ContentBlockParam,
	Message,
	MessageParam,
	ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import {
	addUsage,
	type ChatOptions,
	type Client,
	type ClientError,
	NOTHING_USED,
	type Setup,
	type Talker,
	type TestTool,
	type Usage,
} from "./client.ts";

/** With many more the library takes streams only. */
const MAX_TOKENS = 8000;

export const connect = ({ url, apiKey, fetch }: Setup) => new Anthropic({ baseURL: url, apiKey, fetch, maxRetries: 0 });

/** `@anthropic-ai/sdk`: `messages`, with the loop that its documentation shows. */
export const anthropic: Client = {
	open(setup, given, stream) {
		const client = connect(setup);
		const messages: MessageParam[] = [];
		const tools = given.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
		return {
			async say(prompt) {
				messages.push({ role: "user", content: prompt });
				let usage: Usage = NOTHING_USED;
				for (;;) {
					const request = { model: setup.model, max_tokens: MAX_TOKENS, messages, tools };
					const answer = stream
						? await client.messages.stream(request).finalMessage()
						: await client.messages.create(request);
					messages.push({ role: "assistant", content: answer.content as ContentBlockParam[] });
					usage = addUsage(usage, toUsage(answer));
					const results = await resultsOf(answer, given);
					if (results.length === 0) return { text: textOf(answer), usage };
					messages.push({ role: "user", content: results });
				}
			},
		};
	},

	async chat(setup, prompt, { stream, image, signal, onText }) {
		const { messages } = connect(setup);
		const request = {
			model: setup.model,
			max_tokens: MAX_TOKENS,
			messages: [{ role: "user" as const, content: contentOf(prompt, image) }],
		};
		const answer = stream
			? await messages
					.stream(request, { signal })
					.on("text", (piece) => onText?.(piece))
					.finalMessage()
			: await messages.create(request, { signal });
		const thoughts = answer.content.map((block) => (block.type === "thinking" ? block.thinking : ""));
		return { text: textOf(answer), reasoning: thoughts.join("") || undefined, usage: toUsage(answer) };
	},

	errorOf,
	errors: {
		badKey: "AuthenticationError",
		noModel: "NotFoundError",
		rateLimit: "RateLimitError",
		upstream: "InternalServerError",
		midStream: "APIError",
		aborted: /^APIUserAbortError$/,
	},
	showsReasoning: true,
	countsReasoning: true,
};

/** The same library's tool runner, which asks for a thread that the gateway keeps. */
export const anthropicToolRunner: Talker = {
	open(setup, given, stream) {
		const client = connect(setup);
		let messages: BetaMessageParam[] = [];
		const tools = given.map(({ name, description, parameters, run }) =>
			betaTool({ name, description, inputSchema: parameters, run }),
		);
		return {
			async say(prompt) {
				messages.push({ role: "user", content: prompt });
				const request = { model: setup.model, max_tokens: MAX_TOKENS, messages, tools };
				const runner = client.beta.messages.toolRunner({ ...request, stream });
				let usage: Usage = NOTHING_USED;
				for await (const step of runner) {
					const answer = "finalMessage" in step ? await step.finalMessage() : step;
					usage = addUsage(usage, toUsage(answer));
				}
				const last = await runner.done();
				messages = [...runner.params.messages];
				return { text: textOf(last), usage };
			},
		};
	},
	errorOf,
};

async function resultsOf(answer: Message, tools: TestTool[]): Promise<ToolResultBlockParam[]> {
	const results: ToolResultBlockParam[] = [];
	for (const block of answer.content) {
		if (block.type !== "tool_use") continue;
		const tool = tools.find(({ name }) => name === block.name)!;
		results.push({ type: "tool_result", tool_use_id: block.id, content: await tool.run(block.input) });
	}
	return results;
}

function errorOf(error: unknown): ClientError {
	const { constructor: kind, message } = error as Error;
	return { name: kind.name, status: error instanceof APIError ? error.status : undefined, message };
}

function textOf({ content }: { content: { type: string; text?: string }[] }): string {
	return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

function contentOf(prompt: string, image: ChatOptions["image"]): string | ContentBlockParam[] {
	if (!image) return prompt;
	const data = image.data.toString("base64");
	return [
		{ type: "text", text: prompt },
		{ type: "image", source: { type: "base64", media_type: image.mediaType as "image/png", data } },
	];
}

type TokenCounts = Pick<
	Message["usage"],
	"input_tokens" | "cache_creation_input_tokens" | "cache_read_input_tokens" | "output_tokens" | "output_tokens_details"
>;

/** In this API the tokens of a cache are told beside those of the input. */
function toUsage({ usage }: { usage: TokenCounts }): Usage {
	return {
		input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
		output: usage.output_tokens,
		cached: usage.cache_read_input_tokens ?? undefined,
		reasoning: usage.output_tokens_details?.thinking_tokens,
	};
}
