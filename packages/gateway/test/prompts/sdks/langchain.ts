import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import type { Setup } from "../../clients/client.ts";
import { dataUrl, type Speaker } from "./speaker.ts";

function langchain(name: string, modelOf: (setup: Setup) => Pick<Required<BaseChatModel>, "bindTools">): Speaker {
	return {
		name,
		async speak(setup, { system, turns, tools: given }) {
			const tools = given.map(({ run, parameters, ...about }) =>
				tool((args) => run(args), { ...about, schema: parameters }),
			);
			const model = modelOf(setup).bindTools(tools);
			const messages: BaseMessage[] = [new SystemMessage(system)];
			for (const parts of turns) {
				const content = parts.map((part) =>
					typeof part === "string"
						? { type: "text", text: part }
						: { type: "image_url", image_url: { url: dataUrl(part) } },
				);
				messages.push(new HumanMessage({ content }));
				for (;;) {
					const answer = await model.invoke(messages);
					messages.push(answer);
					if (!answer.tool_calls?.length) break;
					for (const call of answer.tool_calls) {
						messages.push(await tools.find(({ name: called }) => called === call.name)!.invoke(call));
					}
				}
			}
		},
	};
}

function openaiModel({ url, apiKey, fetch, model }: Setup, useResponsesApi: boolean) {
	const configuration = { baseURL: `${url}/v1`, fetch };
	return new ChatOpenAI({ model, apiKey, maxRetries: 0, useResponsesApi, configuration });
}

export const LANGCHAIN = [
	langchain("@langchain/openai, Chat Completions", (setup) => openaiModel(setup, false)),
	langchain("@langchain/openai, Responses", (setup) => openaiModel(setup, true)),
	langchain(
		"@langchain/anthropic",
		({ url, apiKey, fetch, model }) =>
			new ChatAnthropic({ model, apiKey, anthropicApiUrl: url, maxRetries: 0, clientOptions: { fetch } }),
	),
];
