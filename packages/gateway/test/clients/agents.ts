import { Agent, type AgentInputItem, OpenAIProvider, Runner, tool, user } from "@openai/agents";
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
import { connect, errorOf, errors } from "./openai-sdk.ts";

/** `@openai/agents` over Chat Completions. */
export const agentsChat = agents(false);

/** `@openai/agents` over Responses. */
export const agentsResponses = agents(true);

interface RunOptions {
	stream: boolean;
	signal?: AbortSignal | undefined;
	onText?: ((piece: string) => void) | undefined;
}

/** An agent, its runner, and the history that each run gives. */
function agents(useResponses: boolean): Client {
	const run = async (setup: Setup, tools: TestTool[], input: AgentInputItem[], options: RunOptions) => {
		const modelProvider = new OpenAIProvider({ openAIClient: connect(setup), useResponses });
		const runner = new Runner({ modelProvider, tracingDisabled: true });
		const agent = new Agent({ name: "tester", model: setup.model, tools: tools.map(toTool) });
		const { stream, signal, onText } = options;
		if (!stream) return runner.run(agent, input, { signal, maxTurns: 100 });
		const result = await runner.run(agent, input, { stream, signal, maxTurns: 100 });
		for await (const event of result) {
			if (event.type !== "raw_model_stream_event") continue;
			if (event.data.type === "output_text_delta") onText?.(event.data.delta);
		}
		await result.completed;
		// A run that was given up ends like any other in this library.
		if (result.cancelled) throw signal?.reason;
		return result;
	};

	return {
		open(setup, tools, stream) {
			let history: AgentInputItem[] = [];
			return {
				async say(prompt) {
					const result = await run(setup, tools, [...history, user(prompt)], { stream });
					history = result.history;
					return { text: result.finalOutput ?? "", usage: usageOf(result) };
				},
			};
		},

		async chat(setup, prompt, { stream, image, signal, onText }) {
			const result = await run(setup, [], [messageOf(prompt, image)], { stream, signal, onText });
			const thoughts = result.newItems.flatMap(({ rawItem }) =>
				rawItem && "type" in rawItem && rawItem.type === "reasoning" ? rawItem.content : [],
			);
			return {
				text: result.finalOutput ?? "",
				reasoning: thoughts.map(({ text }) => text).join("") || undefined,
				usage: usageOf(result),
			};
		},

		errorOf: (error) => ({ ...errorOf(error), ...(error instanceof DOMException && { name: error.name }) }),
		errors: { ...errors, aborted: /Abort/ },
		showsReasoning: useResponses,
		countsReasoning: true,
	};
}

function toTool({ name, description, parameters, run }: TestTool) {
	return tool({
		name,
		description,
		parameters: { ...parameters, additionalProperties: true },
		strict: false,
		execute: (args) => run(args),
		// The library would tell the model of a failure of a tool; here it is one of the test.
		errorFunction: null,
	});
}

function messageOf(prompt: string, image: ChatOptions["image"]): AgentInputItem {
	if (!image) return user(prompt);
	return user([
		{ type: "input_text", text: prompt },
		{ type: "input_image", image: dataUrl(image) },
	]);
}

interface ModelUsage {
	inputTokens: number;
	outputTokens: number;
	inputTokensDetails: Record<string, number>[];
	outputTokensDetails: Record<string, number>[];
}

function usageOf({ rawResponses }: { rawResponses: { usage: ModelUsage }[] }): Usage {
	return rawResponses.map(({ usage }) => toUsage(usage)).reduce(addUsage, NOTHING_USED);
}

function toUsage({ inputTokens, outputTokens, inputTokensDetails, outputTokensDetails }: ModelUsage): Usage {
	return {
		input: inputTokens,
		output: outputTokens,
		cached: inputTokensDetails[0]?.cached_tokens,
		reasoning: outputTokensDetails[0]?.reasoning_tokens,
	};
}
