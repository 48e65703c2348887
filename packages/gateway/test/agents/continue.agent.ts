import { type Api, BUILT_INS, type Setup } from "./kit/agent.ts";
import { PACKAGES } from "./kit/packages.ts";
import { testAgent } from "./kit/tasks.ts";

const setup = (api: Api, provider: "openai" | "anthropic"): Setup => {
	const config = (home: string) => `${home}/config.yaml`;
	return {
		api,
		model: "composer-1",
		configure: ({ url, key, model, home }) => ({
			files: {
				// JSON is YAML too.
				[config(home)]: JSON.stringify({
					name: "Cursorwire",
					version: "1.0.0",
					schema: "v1",
					models: [{ name: "Cursorwire", provider, model, apiBase: `${url}/v1`, apiKey: key, roles: ["chat"] }],
				}),
			},
			env: { CONTINUE_TELEMETRY_ENABLED: "0" },
		}),
		start: (prompt, { home }) => ["-p", "--auto", "--config", config(home), prompt],
		resume: (prompt, { home }) => ["-p", "--auto", "--resume", "--config", config(home), prompt],
		tools: {
			read: (filepath) => ({ name: "Read", arguments: { filepath } }),
			write: (filepath, content) => ({ name: "Write", arguments: { filepath, content } }),
			run: (command) => ({ name: "Bash", arguments: { command } }),
		},
		forgetsFailures: true,
		serves: BUILT_INS,
		refused: { code: 1, tries: 1 },
	};
};

testAgent({
	name: "Continue",
	package: PACKAGES.continue,
	setups: [setup("chat", "openai"), setup("messages", "anthropic")],
});
