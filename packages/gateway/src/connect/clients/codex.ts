import { join } from "node:path";
import { type Client, contextOf, PROVIDER, PROVIDER_TITLE } from "../client.ts";

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
				experimental_bearer_token: key,
			},
		},
	],
	selection: (target) => [
		{ op: "set", path: ["model"], value: target.model },
		{ op: "set", path: ["model_provider"], value: PROVIDER },
		// Codex assumes a large window for unknown models, and would compact too late.
		{ op: "set", path: ["model_context_window"], value: contextOf(target)! },
	],
};
