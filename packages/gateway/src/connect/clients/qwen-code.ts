import { join } from "node:path";
import { type Client, KEY_VARIABLE } from "../client.ts";

export const qwenCode: Client = {
	name: "Qwen Code",
	format: "json",
	api: "chat",
	files: ({ home, variable }) => [join(variable("QWEN_HOME") || join(home, ".qwen"), "settings.json")],
	// Qwen Code would add the version of its settings format itself.
	fresh: [{ op: "set", path: ["$version"], value: 4 }],
	provider: ({ url, key, models, model }) => [
		{ op: "set", path: ["env", KEY_VARIABLE], value: key },
		// The chosen one last: each is inserted at the front, so it ends up first.
		...[...models]
			.sort((one, other) => Number(one.id === model) - Number(other.id === model))
			.map(({ id, name, contextWindow }) => ({
				op: "insert" as const,
				path: ["modelProviders", "openai"],
				value: {
					id,
					name: `${name} (Cursorwire)`,
					baseUrl: `${url}/v1`,
					envKey: KEY_VARIABLE,
					generationConfig: { contextWindowSize: contextWindow },
				},
			})),
	],
	selection: ({ model }) => [
		{ op: "set", path: ["security", "auth", "selectedType"], value: "openai" },
		{ op: "set", path: ["model", "name"], value: model },
	],
};
