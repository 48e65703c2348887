import { chatApi } from "./chat-api.ts";
import type { BusyApi, BusyTool } from "./conversation.ts";
import { messagesApi } from "./messages-api.ts";
import { responsesApi } from "./responses-api.ts";

/** A client that the demo plays. */
export interface BusyScript {
	/** The name of its key. */
	name: string;
	userAgent: string;
	api: BusyApi;
	tools: readonly BusyTool[];
	/** What it asks, one after another, and again from the beginning. Each list is a conversation. */
	conversations: readonly { model: string; prompts: readonly string[] }[];
}

const EXPLAIN =
	"Explain in a few sentences how a gateway keeps a stream open while tools run, what happens when the results arrive, and why that is cheaper than sending the whole history again.";
const PLAN =
	"Plan the next steps: tidy the parser, give the long function a name for each of its parts, write the missing tests, measure it before and after, and put the figures into the change log.";

export const SCRIPTS: readonly BusyScript[] = [
	{
		name: "claude-code",
		userAgent: "claude-cli/2.0.14 (external, cli)",
		api: messagesApi,
		tools: [
			{ name: "Bash", parameter: "command" },
			{ name: "Read", parameter: "file_path" },
		],
		conversations: [
			{
				model: "claude-4.6-sonnet-thinking",
				prompts: [PLAN, "Please read src/parser.ts and src/lexer.ts", "Now run `npm test`", "Thank you, that is all."],
			},
			{ model: "claude-4.6-sonnet", prompts: ["Run `git status`", EXPLAIN] },
		],
	},
	{
		name: "codex",
		userAgent: "codex_cli_rs/0.64.0 (Linux)",
		api: responsesApi,
		tools: [{ name: "shell", parameter: "command" }],
		conversations: [
			{ model: "gpt-5.4-codex-high", prompts: ["Run `ls -la`", "Run `cargo check`", EXPLAIN] },
			{ model: "gpt-9", prompts: ["Hello?"] },
		],
	},
	{
		name: "opencode",
		userAgent: "opencode/1.0.55",
		api: chatApi,
		tools: [
			{ name: "read", parameter: "filePath" },
			{ name: "grep", parameter: "pattern" },
		],
		conversations: [
			{ model: "composer-1", prompts: ["Read a.ts b.ts and c.ts", "Search for `TODO`", "What did I say first?"] },
			{ model: "auto", prompts: ["Fail: too many of us at once", PLAN] },
		],
	},
	{
		name: "aider",
		userAgent: "aider/0.86.1",
		api: chatApi,
		tools: [],
		conversations: [{ model: "grok-code", prompts: [EXPLAIN, PLAN, "Hello again"] }],
	},
];
