import { join } from "node:path";
import { type Client, PROVIDER, PROVIDER_TITLE } from "../client.ts";

export const codex: Client = {
	name: "Codex CLI",
	format: "toml",
	api: "responses",
	files: ({ home, variable }) => [join(variable("CODEX_HOME") || join(home, ".codex"), "config.toml")],
	provider: ({ url, key }) => [
		{
			op: "set",
			path: ["model_providers", PROVIDER],
			value: {
				name: PROVIDER_TITLE,
				base_url: `${url}/v1`,
				wire_api: "responses",
				// Windows, efforts and images of all models. Codex asks for it only with the feature below.
				model_catalog_url: `${url}/v1/models`,
				experimental_bearer_token: key,
				// Otherwise Codex compacts on its own: without tools and reasoning, and with a prompt of its own.
				capabilities: { remote_compaction: "v2" },
			},
		},
		{ op: "set", path: ["features", "api_key_model_discovery"], value: true },
	],
	selection: (target) => [
		{ op: "set", path: ["model"], value: target.model },
		{ op: "set", path: ["model_provider"], value: PROVIDER },
	],
};
