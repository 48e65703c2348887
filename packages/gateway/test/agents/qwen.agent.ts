import { join } from "node:path";
import { type Api, BUILT_INS, type Setup } from "./kit/agent.ts";
import { PACKAGES } from "./kit/packages.ts";
import { testAgent } from "./kit/tasks.ts";

const MODEL = "composer-1";

const setup = (api: Api, authType: string, env: (url: string, key: string) => Record<string, string>): Setup => ({
	api,
	model: MODEL,
	configure: ({ url, key, home }) => ({
		files: {
			[join(home, ".qwen", "settings.json")]: JSON.stringify({
				// Without a terminal for its commands it may miss what they print last.
				tools: { shell: { enableInteractiveShell: true }, useRipgrep: false },
				privacy: { usageStatisticsEnabled: false },
			}),
		},
		env: { ...env(url, key), QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" },
	}),
	start: (prompt) => ["--auth-type", authType, "--yolo", "-p", prompt],
	resume: (prompt) => ["--auth-type", authType, "--yolo", "--continue", "-p", prompt],
	tools: {
		read: (path) => ({ name: "read_file", arguments: { file_path: path } }),
		write: (path, content) => ({ name: "write_file", arguments: { file_path: path, content } }),
		run: (command) => ({ name: "run_shell_command", arguments: { command } }),
	},
	// New reminders every time.
	rewritesHistory: true,
	serves: BUILT_INS,
	refused: { code: 1, tries: 1 },
});

const openai = (url: string, key: string) => ({
	OPENAI_BASE_URL: `${url}/v1`,
	OPENAI_API_KEY: key,
	OPENAI_MODEL: MODEL,
});
const anthropic = (url: string, key: string) => ({
	ANTHROPIC_BASE_URL: url,
	ANTHROPIC_API_KEY: key,
	ANTHROPIC_MODEL: MODEL,
});

testAgent({
	name: "Qwen Code",
	package: PACKAGES.qwen,
	setups: [
		setup("chat", "openai", openai),
		setup("responses", "openai-responses", openai),
		setup("messages", "anthropic", anthropic),
	],
});
