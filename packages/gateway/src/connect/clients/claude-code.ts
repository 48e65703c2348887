import { join } from "node:path";
import { type Client, contextOf, type Target } from "../client.ts";
import { type Edit, valueAt } from "../edit.ts";

const variable = (name: string, value: string): Edit => ({ op: "set", path: ["env", name], value });

/** Names of models that are small for their family. */
const SMALL = /haiku|mini|flash|nano|lite/i;

/**
 * Titles, summaries and searches go to a small model, under a name of Anthropic's that Cursor may not have. The automatic
 * choice stays with itself: its usage is counted apart from that of the others.
 */
function smallModel({ model, models }: Target): string {
	if (model === "auto") return model;
	const ids = models.map(({ id }) => id);
	return (
		ids.find((id) => /haiku/i.test(id)) ?? ids.find((id) => SMALL.test(id)) ?? ids.find((id) => id === "auto") ?? model
	);
}

function smallModelNote(small: string): string {
	if (small === "auto") return "auto, whose usage is counted apart from that of other models";
	return SMALL.test(small) ? `${small}, a small model` : `${small}, since there is no smaller one`;
}

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
		// Behind a gateway it would offer every tool of every MCP server at once, in every request.
		variable("ENABLE_TOOL_SEARCH", "true"),
		// Its list of models has Cursor's then.
		variable("CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY", "1"),
	],
	selection: (target) => [
		variable("ANTHROPIC_MODEL", target.model),
		variable("ANTHROPIC_DEFAULT_HAIKU_MODEL", smallModel(target)),
		// Claude Code assumes a large window for unknown models, and would compact too late.
		variable("CLAUDE_CODE_MAX_CONTEXT_TOKENS", String(contextOf(target))),
	],
	notes: (target, { variable: named, settings }) => [
		"ENABLE_TOOL_SEARCH: tools of MCP servers are loaded when they are needed, which saves most of a prompt with many of them.",
		"CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: /model lists Cursor's Claude models; a model of another vendor goes into ANTHROPIC_MODEL.",
		`ANTHROPIC_DEFAULT_HAIKU_MODEL: titles, summaries and searches go to ${smallModelNote(smallModel(target))}.`,
		...(named(OTHER_KEY) ? [`${OTHER_KEY} is set in your shell and overrides these settings: unset it.`] : []),
		...(valueAt(settings, ["env", OTHER_KEY])
			? [`${OTHER_KEY} is set in "env" of the same file and overrides these settings: remove it.`]
			: []),
	],
};
