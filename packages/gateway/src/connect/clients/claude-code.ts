import { join } from "node:path";
import { type Client, contextOf } from "../client.ts";
import type { Edit } from "../edit.ts";

const variable = (name: string, value: string): Edit => ({ op: "set", path: ["env", name], value });

export const claudeCode: Client = {
	name: "Claude Code",
	format: "json",
	api: "messages",
	files: ({ home, variable: named }) => [join(named("CLAUDE_CONFIG_DIR") || join(home, ".claude"), "settings.json")],
	provider: ({ url, key }) => [
		// Claude Code adds /v1 itself.
		variable("ANTHROPIC_BASE_URL", url),
		variable("ANTHROPIC_AUTH_TOKEN", key),
	],
	selection: (target) => [
		variable("ANTHROPIC_MODEL", target.model),
		// Titles and summaries go to a small model that Cursor may not have under Anthropic's name.
		variable("ANTHROPIC_DEFAULT_HAIKU_MODEL", target.model),
		// Claude Code assumes a large window for unknown models, and would compact too late.
		variable("CLAUDE_CODE_MAX_CONTEXT_TOKENS", String(contextOf(target))),
	],
	notes: () => ["An ANTHROPIC_API_KEY in your shell overrides these settings: unset it."],
};
