import { BUILT_INS, type Setup } from "./kit/agent.ts";
import { PACKAGES } from "./kit/packages.ts";
import { testAgent } from "./kit/tasks.ts";

// It takes every word behind --allowedTools for a tool, so the prompt stands before it.
const words = (prompt: string) => ["-p", prompt, "--allowedTools", "Read,Write,Bash"];

const messages: Setup = {
	title: "Messages",
	model: "claude-4.6-sonnet",
	configure: ({ url, key, model }) => ({
		env: {
			ANTHROPIC_BASE_URL: url,
			ANTHROPIC_API_KEY: key,
			ANTHROPIC_MODEL: model,
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		},
	}),
	start: (prompt) => words(prompt),
	resume: (prompt) => ["--continue", ...words(prompt)],
	tools: {
		read: (path) => ({ name: "Read", arguments: { file_path: path } }),
		write: (path, content) => ({ name: "Write", arguments: { file_path: path, content } }),
		run: (command) => ({ name: "Bash", arguments: { command, description: "Runs it" } }),
	},
	serves: BUILT_INS,
	refused: { code: 1, tries: 1 },
};

testAgent({ name: "Claude Code", package: PACKAGES.claudeCode, setups: [messages] });
