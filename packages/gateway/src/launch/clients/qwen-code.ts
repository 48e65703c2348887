import type { LaunchClient } from "../launch-client.ts";

export const qwenCode: LaunchClient = {
	name: "Qwen Code",
	program: "qwen",
	install: "npm install --global @qwen-code/qwen-code",
	variables: ({ url, key, model }) => ({
		OPENAI_BASE_URL: `${url}/v1`,
		OPENAI_API_KEY: key,
		OPENAI_MODEL: model,
		QWEN_DEFAULT_AUTH_TYPE: "openai",
	}),
	// What the user chose in its settings is stronger than variables.
	extras: ({ model }) => ({ args: ["--auth-type", "openai", "--model", model] }),
};
