import type { SettingWithoutEffect } from "../responses/schema.ts";
import { type FieldsWithout, hint, honoured, type RequestFields, refused, withoutEffect } from "./request-fields.ts";

const SAMPLING = "Cursor chooses how tokens are picked.";

export const RESPONSES_WITHOUT_EFFECT: FieldsWithout<SettingWithoutEffect> = {
	temperature: withoutEffect(SAMPLING, 1),
	top_p: withoutEffect(SAMPLING, 1),
	top_logprobs: withoutEffect("Cursor tells no probabilities.", 0),
	service_tier: withoutEffect("Cursor has one.", "auto", "default"),
	truncation: withoutEffect("A conversation that is too long is an error.", "disabled"),
	background: withoutEffect("The response is given at once.", false),
	max_tool_calls: withoutEffect("It counts tools that the API runs; only web search is here."),
	context_management: withoutEffect("Nothing is compacted but at the client's own request."),
	moderation: withoutEffect("Cursor applies its own policies."),
};

/** Every field of a Responses request. */
export const RESPONSES_FIELDS = {
	model: honoured("Names for models are in configuration.md."),
	input: honoured("Audio, video and files in it are refused."),
	instructions: honoured("As the system prompt."),
	previous_response_id: honoured("As long as the response is stored."),
	tools: honoured(
		"Types `function`, `custom`, `namespace` and `web_search` (web-search.md); others are left aside with a warning.",
	),
	tool_choice: honoured("`allowed_tools` too."),
	parallel_tool_calls: honoured("`false`: one call at a time."),
	text: honoured("`format`: the gateway checks the reply. `verbosity` has no effect, with a warning."),
	reasoning: honoured("`effort`, as far as the model has efforts. Thinking is always given as a summary."),
	include: honoured("`reasoning.encrypted_content` and `web_search_call.action.sources`; others with a warning."),
	max_output_tokens: honoured("The gateway ends the reply there."),
	stream: honoured("As events."),
	stream_options: hint("Nothing is obfuscated."),
	store: honoured("The response can be named later, unless this is `false`."),
	...RESPONSES_WITHOUT_EFFECT,
	conversation: refused("There are no stored conversations here: 404."),
	prompt: refused("There are no stored prompts here."),
	metadata: hint("It is repeated in the response, and may hold wishes such as `cursor_mode`."),
	user: hint("It is repeated in the response. Never an identity."),
	safety_identifier: hint("It is repeated in the response. Never an identity."),
	generate: honoured("`false` as a message of a WebSocket: no reply yet. In a request without effect, with a warning."),
	prompt_cache_key: hint("It is repeated in the response. Cursor caches by itself."),
	prompt_cache_options: hint("Cursor caches by itself."),
	prompt_cache_retention: hint("Cursor caches by itself."),
} satisfies RequestFields;
