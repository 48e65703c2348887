import type OpenAI from "openai";
import type {
	Response,
	ResponseCreateParamsNonStreaming,
	ResponseInput,
	ResponseInputItem,
	ResponseOutputItem,
} from "openai/resources/responses/responses";
import {
	addUsage,
	type ChatOptions,
	type Client,
	dataUrl,
	NOTHING_USED,
	type Talker,
	type TestTool,
	type Usage,
} from "./client.ts";
import { connect, errorOf, errors } from "./openai-sdk.ts";

type Request = ResponseCreateParamsNonStreaming;

/** What the next request has to carry, for a conversation that is kept here or there. */
interface Memory {
	/** Fields of a request that brings these items. */
	request(items: ResponseInput): Request;
	remember(response: Response): void;
}

/** `openai`, Responses: conversations are kept by the gateway and named by `previous_response_id`. */
export const openaiResponses: Client = {
	open: talkWith((model) => {
		let previous: string | undefined;
		return {
			request: (input) => ({ model, input, store: true, ...(previous && { previous_response_id: previous }) }),
			remember: ({ id }) => {
				previous = id;
			},
		};
	}),

	async chat(setup, prompt, { stream, image, signal, onText }) {
		const { responses } = connect(setup);
		const request: Request = { model: setup.model, input: [messageOf(prompt, image)] };
		const response = stream
			? await responses
					.stream({ ...request, stream }, { signal })
					.on("response.output_text.delta", ({ delta }) => onText?.(delta))
					.finalResponse()
			: await responses.create(request, { signal });
		const summaries = response.output.flatMap((item) => (item.type === "reasoning" ? item.summary : []));
		return {
			text: response.output_text,
			reasoning: summaries.map(({ text }) => text).join("") || undefined,
			usage: toUsage(response),
		};
	},

	errorOf,
	errors,
	showsReasoning: true,
	countsReasoning: true,
};

/** The same with nothing kept by the gateway: every request brings all items, thinking in its opaque form as well. */
export const openaiResponsesWhole: Talker = {
	open: talkWith((model) => {
		let input: ResponseInput = [];
		return {
			request: (items) => {
				input = [...input, ...items];
				return { model, input, store: false, include: ["reasoning.encrypted_content"] };
			},
			remember: ({ output }) => {
				input = [...input, ...(output as ResponseInputItem[])];
			},
		};
	}),
	errorOf,
};

/** The loop that the library's documentation shows. */
function talkWith(remembering: (model: string) => Memory): Talker["open"] {
	return (setup, tools, stream) => {
		const { responses } = connect(setup);
		const memory = remembering(setup.model);
		return {
			async say(prompt) {
				let usage: Usage = NOTHING_USED;
				let news: ResponseInput = [messageOf(prompt, undefined)];
				for (;;) {
					const request = { ...memory.request(news), tools: tools.map(toFunction) };
					const response = await send(responses, request, stream);
					memory.remember(response);
					usage = addUsage(usage, toUsage(response));
					news = await outputsOf(response.output, tools);
					if (news.length === 0) return { text: response.output_text, usage };
				}
			},
		};
	};
}

function send(responses: OpenAI["responses"], request: Request, stream: boolean): Promise<Response> {
	return stream ? responses.stream({ ...request, stream }).finalResponse() : responses.create(request);
}

async function outputsOf(items: ResponseOutputItem[], tools: TestTool[]): Promise<ResponseInput> {
	const outputs: ResponseInput = [];
	for (const item of items) {
		if (item.type !== "function_call") continue;
		const tool = tools.find(({ name }) => name === item.name)!;
		const output = await tool.run(JSON.parse(item.arguments));
		outputs.push({ type: "function_call_output", call_id: item.call_id, output });
	}
	return outputs;
}

function toFunction({ name, description, parameters }: TestTool) {
	return { type: "function" as const, name, description, parameters: { ...parameters }, strict: false };
}

function messageOf(prompt: string, image: ChatOptions["image"]): ResponseInputItem {
	if (!image) return { role: "user", content: prompt };
	return {
		role: "user",
		content: [
			{ type: "input_text", text: prompt },
			{ type: "input_image", image_url: dataUrl(image), detail: "auto" },
		],
	};
}

function toUsage({ usage }: Response): Usage {
	return {
		input: usage?.input_tokens,
		output: usage?.output_tokens,
		cached: usage?.input_tokens_details.cached_tokens,
		reasoning: usage?.output_tokens_details.reasoning_tokens,
	};
}
