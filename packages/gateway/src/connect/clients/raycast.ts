import { join } from "node:path";
import { type Client, PROVIDER, PROVIDER_TITLE } from "../client.ts";

export const raycast: Client = {
	name: "Raycast",
	format: "yaml",
	api: "chat",
	files: ({ home }) => [join(home, ".config", "raycast", "ai", "providers.yaml")],
	provider: ({ url, key, models }) => [
		{
			op: "insert",
			path: ["providers"],
			value: {
				id: PROVIDER,
				name: PROVIDER_TITLE,
				base_url: `${url}/v1`,
				api_keys: { [PROVIDER]: key },
				models: models.map(({ id, name, contextWindow, thinking, images }) => ({
					id,
					name,
					provider: PROVIDER,
					context: contextWindow,
					abilities: {
						temperature: { supported: false },
						vision: { supported: images },
						system_message: { supported: true },
						tools: { supported: true },
						reasoning_effort: { supported: thinking },
					},
				})),
			},
		},
	],
	// Raycast chooses models in its interface.
	selection: () => [],
	notes: () => [
		"Turn on Custom Providers in Raycast's settings (AI), and choose the model there; Raycast reads the file when it is opened from there.",
	],
};
