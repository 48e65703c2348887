import { join } from "node:path";
import type { Places } from "../../config/places.ts";
import { type Client, configFolder, PROVIDER, PROVIDER_TITLE } from "../client.ts";

export const goose: Client = {
	name: "goose",
	format: "json",
	api: "chat",
	files: (places) => [join(folder(places), "custom_providers", `${PROVIDER}.json`)],
	provider: ({ url, key, models }) =>
		Object.entries({
			name: PROVIDER,
			engine: "openai",
			display_name: PROVIDER_TITLE,
			description: "The Cursorwire gateway.",
			// Goose looks for keys in its keychain and in the environment only; a header needs neither.
			requires_auth: false,
			api_key_env: "",
			headers: { Authorization: `Bearer ${key}` },
			base_url: `${url}/v1/chat/completions`,
			models: models.map(({ id, contextWindow }) => ({ name: id, context_limit: contextWindow })),
			supports_streaming: true,
		}).map(([name, value]) => ({ op: "set", path: [name], value })),
	chooser: { format: "yaml", files: (places) => [join(folder(places), "config.yaml")] },
	selection: ({ model }) => [
		{ op: "set", path: ["GOOSE_PROVIDER"], value: PROVIDER },
		{ op: "set", path: ["GOOSE_MODEL"], value: model },
	],
	notes: (_, { variable }) =>
		["GOOSE_PROVIDER", "GOOSE_MODEL"]
			.filter((name) => variable(name))
			.map((name) => `${name} is set in your shell and overrides these settings: unset it.`),
};

function folder(places: Places): string {
	const { home, platform, variable } = places;
	const root = variable("GOOSE_PATH_ROOT");
	if (root) return join(root, "config");
	if (platform === "win32")
		return join(variable("APPDATA") || join(home, "AppData", "Roaming"), "Block", "goose", "config");
	return join(configFolder(places), "goose");
}
