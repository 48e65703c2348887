import { join } from "node:path";
import type { Client } from "../client.ts";

export const aider: Client = {
	name: "Aider",
	format: "yaml",
	api: "chat",
	files: ({ home }) => [join(home, ".aider.conf.yml")],
	provider: ({ url, key }) => [
		{ op: "set", path: ["openai-api-base"], value: `${url}/v1` },
		{ op: "set", path: ["openai-api-key"], value: key },
	],
	// The prefix selects Aider's client for OpenAI-compatible servers.
	selection: ({ model }) => [{ op: "set", path: ["model"], value: `openai/${model}` }],
};
