import { join } from "node:path";
import { type Client, PROVIDER_TITLE, type Target } from "../client.ts";
import type { Json } from "../edit.ts";

export const continueDev: Client = {
	name: "Continue",
	format: "yaml",
	api: "chat",
	files: ({ home, variable }) => [join(variable("CONTINUE_GLOBAL_DIR") || join(home, ".continue"), "config.yaml")],
	fresh: [
		{ op: "set", path: ["name"], value: "Local Config" },
		{ op: "set", path: ["version"], value: "1.0.0" },
		{ op: "set", path: ["schema"], value: "v1" },
	],
	provider: (target) => [{ op: "insert", path: ["models"], value: entry(target) }],
	// Continue uses the first model in the list.
	selection: () => [],
};

function entry({ url, key, model, models }: Target): Json {
	const known = models.find(({ id }) => id === model);
	return {
		name: `${PROVIDER_TITLE}: ${model}`,
		provider: "openai",
		model,
		apiBase: `${url}/v1`,
		apiKey: key,
		roles: ["chat", "edit", "apply"],
		capabilities: ["tool_use", ...(known?.images ? ["image_input"] : [])],
		...(known && { defaultCompletionOptions: { contextLength: known.contextWindow } }),
	};
}
