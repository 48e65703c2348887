import { Agent, type AgentInputItem, OpenAIProvider, Runner, tool, user } from "@openai/agents";
import { connect } from "../../clients/openai-sdk.ts";
import { dataUrl, type Speaker } from "./speaker.ts";

function agents(name: string, useResponses: boolean): Speaker {
	return {
		name,
		async speak(setup, { system, turns, tools }) {
			const modelProvider = new OpenAIProvider({ openAIClient: connect(setup), useResponses });
			const runner = new Runner({ modelProvider, tracingDisabled: true });
			const agent = new Agent({
				name: "tester",
				instructions: system,
				model: setup.model,
				tools: tools.map(({ run, parameters, ...about }) =>
					tool({
						...about,
						parameters: { ...parameters, additionalProperties: true },
						strict: false,
						execute: (args) => run(args),
						errorFunction: null,
					}),
				),
			});
			let history: AgentInputItem[] = [];
			for (const parts of turns) {
				const content = parts.map((part) =>
					typeof part === "string"
						? { type: "input_text" as const, text: part }
						: { type: "input_image" as const, image: dataUrl(part) },
				);
				({ history } = await runner.run(agent, [...history, user(content)], {}));
			}
		},
	};
}

export const AGENTS = [agents("@openai/agents, Chat Completions", false), agents("@openai/agents, Responses", true)];
