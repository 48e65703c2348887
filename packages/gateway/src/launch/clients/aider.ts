import type { LaunchClient } from "../launch-client.ts";

export const aider: LaunchClient = {
	name: "Aider",
	program: "aider",
	install: "see https://aider.chat/docs/install.html",
	// Under these names they are stronger than the user's .aider.conf.yml.
	variables: ({ url, key, model }) => ({
		AIDER_OPENAI_API_BASE: `${url}/v1`,
		AIDER_OPENAI_API_KEY: key,
		// The prefix selects Aider's client for OpenAI-compatible servers.
		AIDER_MODEL: `openai/${model}`,
		AIDER_WEAK_MODEL: `openai/${model}`,
		// It would ask about every model that it does not know.
		AIDER_SHOW_MODEL_WARNINGS: "false",
	}),
};
