import { join } from "node:path";
import { type Client, configFolder, OUTPUT_TOKENS, PROVIDER, PROVIDER_TITLE, type TargetModel } from "../client.ts";
import type { Json } from "../edit.ts";

export const opencode: Client = {
	name: "OpenCode",
	format: "json",
	api: "chat",
	files(places) {
		const named = places.variable("OPENCODE_CONFIG");
		const folder = join(configFolder(places), "opencode");
		return named ? [named] : ["opencode.json", "opencode.jsonc", "config.json"].map((name) => join(folder, name));
	},
	fresh: [{ op: "set", path: ["$schema"], value: "https://opencode.ai/config.json" }],
	provider: ({ url, key, models }) => [
		{
			op: "set",
			path: ["provider", PROVIDER],
			value: {
				npm: "@ai-sdk/openai-compatible",
				name: PROVIDER_TITLE,
				options: { baseURL: `${url}/v1`, apiKey: key },
				models: Object.fromEntries(models.map((model) => [model.id, entry(model)])),
			},
		},
	],
	selection: ({ model }) => [{ op: "set", path: ["model"], value: `${PROVIDER}/${model}` }],
};

function entry({ name, contextWindow, thinking, images }: TargetModel): Json {
	return {
		name,
		reasoning: thinking,
		tool_call: true,
		attachment: images,
		...(images && { modalities: { input: ["text", "image"], output: ["text"] } }),
		limit: { context: contextWindow, output: OUTPUT_TOKENS },
	};
}
