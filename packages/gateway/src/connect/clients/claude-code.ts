import { join } from "node:path";
import { type Client, contextOf } from "../client.ts";
import { type Edit, valueAt } from "../edit.ts";

const variable = (name: string, value: string): Edit => ({ op: "set", path: ["env", name], value });

/** Claude Code prefers it to the token that we write. */
const OTHER_KEY = "ANTHROPIC_API_KEY";

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
	notes: (_, { variable: named, settings }) => [
		...(named(OTHER_KEY) ? [`${OTHER_KEY} is set in your shell and overrides these settings: unset it.`] : []),
		...(valueAt(settings, ["env", OTHER_KEY])
			? [`${OTHER_KEY} is set in "env" of the same file and overrides these settings: remove it.`]
			: []),
	],
};
