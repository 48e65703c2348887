import { join } from "node:path";
import type { Places } from "../../config/places.ts";
import { type Client, configFolder, OUTPUT_TOKENS } from "../client.ts";

/** Zed derives the name of the key's variable from it: CURSORWIRE_API_KEY. */
const NAME = "Cursorwire";

export const zed: Client = {
	name: "Zed",
	format: "json",
	api: "chat",
	files: (places) => [join(folder(places), "settings.json")],
	provider: ({ url, models }) => [
		{
			op: "set",
			path: ["language_models", "openai_compatible", NAME],
			value: {
				api_url: `${url}/v1`,
				available_models: models.map(({ id, name, contextWindow, images }) => ({
					name: id,
					display_name: name,
					max_tokens: contextWindow,
					max_output_tokens: OUTPUT_TOKENS,
					capabilities: { tools: true, images, parallel_tool_calls: true, prompt_cache_key: false },
				})),
			},
		},
	],
	selection: ({ model }) => [{ op: "set", path: ["agent", "default_model"], value: { provider: NAME, model } }],
	notes: () => [
		"Zed reads no key from a file. Paste the one that `cursorwire keys` shows into Agent Settings, LLM Providers, Cursorwire, or start Zed with the key in CURSORWIRE_API_KEY.",
	],
};

function folder(places: Places): string {
	const { home, platform, variable } = places;
	if (platform === "win32") return join(variable("APPDATA") || join(home, "AppData", "Roaming"), "Zed");
	return platform === "darwin" ? join(home, ".config", "zed") : join(configFolder(places), "zed");
}
