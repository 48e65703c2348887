import type { SettingWithoutEffect } from "../messages/schema.ts";
import { type FieldsWithout, hint, honoured, type RequestFields, refused, withoutEffect } from "./request-fields.ts";

const SAMPLING = "Cursor chooses how tokens are picked.";

export const MESSAGES_WITHOUT_EFFECT: FieldsWithout<SettingWithoutEffect> = {
	temperature: withoutEffect(SAMPLING, 1),
	top_p: withoutEffect(SAMPLING, 1),
	top_k: withoutEffect(SAMPLING),
	service_tier: withoutEffect("Cursor has one.", "auto", "standard_only"),
	speed: withoutEffect("Cursor has one.", "standard"),
	context_management: withoutEffect("Nothing is removed from the conversation but by the client itself."),
	mcp_servers: withoutEffect("The gateway contacts no servers; their tools are missing.", ""),
	container: withoutEffect("Nothing is executed here, and there are no skills."),
	inference_geo: withoutEffect("Cursor chooses where a model runs."),
	fallbacks: withoutEffect("A refusal is given as it is.", "default"),
	fallback_credit_token: withoutEffect("There are no such credits."),
	diagnostics: withoutEffect("Cursor explains nothing about its cache."),
};

/** Every field of a Messages request. */
export const MESSAGES_FIELDS = {
	model: honoured("Names for models are in configuration.md."),
	messages: honoured(
		"Also with the role `system`, with `clear_at`, `output_config.effort` and changes of tools. PDF files are refused.",
	),
	system: honoured("Without the line for Anthropic's accounts that Claude Code begins with."),
	tools: honoured(
		"The client's own, those with `defer_loading` once the conversation names them; other types are left aside with a warning.",
	),
	tool_choice: honoured("`disable_parallel_tool_use` too."),
	stream: honoured("As events."),
	max_tokens: honoured("The gateway ends the reply there."),
	stop_sequences: honoured("The gateway ends the reply there."),
	thinking: honoured(
		"`disabled`: none. `enabled`: `budget_tokens` as the nearest effort. `adaptive`: as the model decides. `display` has no effect, with a warning.",
	),
	output_config: honoured(
		"`effort`, as far as the model has efforts. `format`: the gateway checks the reply. `task_budget` has no effect, with a warning.",
	),
	output_format: honoured("The older place of `output_config.format`."),
	betas: honoured("In the header `anthropic-beta`: `context-1m-…` chooses the long context."),
	...MESSAGES_WITHOUT_EFFECT,
	thread: refused("The gateway keeps no threads. The error makes the library send whole histories."),
	compaction: refused("There is no compaction here: summarise with a request of your own."),
	metadata: hint("Never an identity. It may hold wishes such as `cursor_mode`."),
	cache_control: hint("Cursor caches by itself."),
	user_profile_id: hint("It is not sent to Cursor."),
	workspace_id: hint("It is not sent to Cursor."),
} satisfies RequestFields;
