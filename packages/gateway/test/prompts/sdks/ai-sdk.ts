import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, stepCountIs, tool } from "ai";
import type { Setup } from "../../clients/client.ts";
import type { Speaker } from "./speaker.ts";

function aiSdk(name: string, modelOf: (setup: Setup) => LanguageModel): Speaker {
	return {
		name,
		async speak(setup, { system, turns, tools }) {
			const messages: ModelMessage[] = [];
			for (const parts of turns) {
				const content = parts.map((part) =>
					typeof part === "string"
						? { type: "text" as const, text: part }
						: { type: "image" as const, image: part.data, mediaType: part.mediaType },
				);
				messages.push({ role: "user", content });
				const { response } = await generateText({
					model: modelOf(setup),
					system,
					messages,
					tools: Object.fromEntries(
						tools.map(({ name: called, description, parameters, run }) => [
							called,
							tool({ description, inputSchema: jsonSchema(parameters), execute: (args) => run(args) }),
						]),
					),
					maxRetries: 0,
					maxOutputTokens: 8000,
					stopWhen: stepCountIs(10),
				});
				messages.push(...response.messages);
			}
		},
	};
}

export const AI_SDK = [
	aiSdk("ai with @ai-sdk/openai-compatible", ({ url, model, ...rest }) =>
		createOpenAICompatible({ name: "cursorwire", baseURL: `${url}/v1`, ...rest })(model),
	),
	aiSdk("ai with @ai-sdk/openai", ({ url, model, ...rest }) =>
		createOpenAI({ baseURL: `${url}/v1`, ...rest }).responses(model),
	),
	aiSdk("ai with @ai-sdk/anthropic", ({ url, model, ...rest }) =>
		createAnthropic({ baseURL: `${url}/v1`, ...rest })(model),
	),
];
