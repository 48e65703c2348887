import { join } from "node:path";
import type { Places } from "../../config/places.ts";
import { type Client, PROVIDER, splitWindow } from "../client.ts";

export const pi: Client = {
	name: "pi",
	format: "json",
	api: "chat",
	files: (places) => [join(folder(places), "models.json")],
	provider: ({ url, key, models }) => [
		{
			op: "set",
			path: ["providers", PROVIDER],
			value: {
				baseUrl: `${url}/v1`,
				api: "openai-completions",
				apiKey: key,
				models: models.map(({ id, name, contextWindow, thinking, images }) => ({
					id,
					name,
					reasoning: thinking,
					input: images ? ["text", "image"] : ["text"],
					contextWindow,
					maxTokens: splitWindow(contextWindow).output,
				})),
			},
		},
	],
	chooser: { format: "json", files: (places) => [join(folder(places), "settings.json")] },
	selection: ({ model }) => [
		{ op: "set", path: ["defaultProvider"], value: PROVIDER },
		{ op: "set", path: ["defaultModel"], value: model },
	],
};

const folder = ({ home, variable }: Places): string => variable("PI_CODING_AGENT_DIR") || join(home, ".pi", "agent");
