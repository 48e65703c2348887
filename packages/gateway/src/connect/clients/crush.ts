import { join } from "node:path";
import type { Places } from "../../config/places.ts";
import { type Client, configFolder, OUTPUT_TOKENS, PROVIDER, PROVIDER_TITLE } from "../client.ts";

/** Crush's schema requires them. The subscription pays. */
const WITHOUT_PRICE = {
	...{ cost_per_1m_in: 0, cost_per_1m_out: 0 },
	...{ cost_per_1m_in_cached: 0, cost_per_1m_out_cached: 0 },
};

export const crush: Client = {
	name: "Crush",
	format: "json",
	api: "chat",
	files: (places) => [join(places.variable("CRUSH_GLOBAL_CONFIG") || folder(places), "crush.json")],
	fresh: [{ op: "set", path: ["$schema"], value: "https://charm.land/crush.json" }],
	provider: ({ url, key, models }) => [
		{
			op: "set",
			path: ["providers", PROVIDER],
			value: {
				name: PROVIDER_TITLE,
				type: "openai-compat",
				base_url: `${url}/v1`,
				api_key: key,
				models: models.map(({ id, name, contextWindow, thinking, images }) => ({
					id,
					name,
					...WITHOUT_PRICE,
					context_window: contextWindow,
					default_max_tokens: OUTPUT_TOKENS,
					can_reason: thinking,
					supports_attachments: images,
				})),
			},
		},
	],
	selection: ({ model }) => [
		{ op: "set", path: ["models", "large"], value: { provider: PROVIDER, model } },
		{ op: "set", path: ["models", "small"], value: { provider: PROVIDER, model } },
	],
};

function folder(places: Places): string {
	const { home, platform, variable } = places;
	if (platform === "win32") return join(variable("LOCALAPPDATA") || join(home, "AppData", "Local"), "crush");
	return join(configFolder(places), "crush");
}
