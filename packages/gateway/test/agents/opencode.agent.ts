import { type Api, BUILT_INS, type Setup } from "./kit/agent.ts";
import { PACKAGES } from "./kit/packages.ts";
import { testAgent } from "./kit/tasks.ts";

/** Each API through the provider package of its own; all three are part of OpenCode. */
const setup = (api: Api, provider: string): Setup => ({
	api,
	model: "composer-1",
	configure: ({ url, key, model, work }) => ({
		files: {
			[`${work}/opencode.json`]: JSON.stringify({
				$schema: "https://opencode.ai/config.json",
				provider: {
					cursorwire: {
						npm: provider,
						name: "Cursorwire",
						options: { baseURL: `${url}/v1`, apiKey: key },
						models: { [model]: { name: model } },
					},
				},
				permission: "allow",
				autoupdate: false,
				share: "disabled",
			}),
		},
		env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" },
	}),
	start: (prompt, { model }) => ["run", "-m", `cursorwire/${model}`, prompt],
	resume: (prompt, { model }) => ["run", "--continue", "-m", `cursorwire/${model}`, prompt],
	tools: {
		read: (filePath) => ({ name: "read", arguments: { filePath } }),
		write: (filePath, content) => ({ name: "write", arguments: { filePath, content } }),
		run: (command) => ({ name: "bash", arguments: { command, description: "Runs it" } }),
	},
	serves: BUILT_INS,
	refused: { code: 1, tries: 1 },
});

testAgent({
	name: "OpenCode",
	package: PACKAGES.opencode,
	setups: [
		setup("chat", "@ai-sdk/openai-compatible"),
		setup("responses", "@ai-sdk/openai"),
		setup("messages", "@ai-sdk/anthropic"),
	],
});
