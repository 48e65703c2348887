import type { SettingWithoutEffect } from "../chat/schema.ts";
import { type FieldsWithout, hint, honoured, type RequestFields, withoutEffect } from "./request-fields.ts";

const SAMPLING = "Cursor chooses how tokens are picked.";

export const CHAT_WITHOUT_EFFECT: FieldsWithout<SettingWithoutEffect> = {
	temperature: withoutEffect(SAMPLING, 1),
	top_p: withoutEffect(SAMPLING, 1),
	frequency_penalty: withoutEffect(SAMPLING, 0),
	presence_penalty: withoutEffect(SAMPLING, 0),
	seed: withoutEffect(SAMPLING),
	logprobs: withoutEffect("Cursor tells no probabilities.", false),
	top_logprobs: withoutEffect("Cursor tells no probabilities.", 0),
	logit_bias: withoutEffect(SAMPLING),
	service_tier: withoutEffect("Cursor has one.", "auto", "default"),
	verbosity: withoutEffect("Say in the prompt how long the reply should be.", "medium"),
	modalities: withoutEffect("Replies are text.", "text"),
	audio: withoutEffect("Replies are text."),
	prediction: withoutEffect("The reply is the same; it only comes no faster."),
	web_search_options: withoutEffect("The web is not searched."),
	moderation: withoutEffect("Cursor applies its own policies."),
};

/** Every field of a Chat Completions request. */
export const CHAT_FIELDS = {
	model: honoured("Names for models are in configuration.md."),
	messages: honoured("Audio, video and files in them are refused."),
	tools: honoured("Tools of type `function`; others are left aside with a warning. `strict` has no effect, with one."),
	tool_choice: honoured("`allowed_tools` too."),
	parallel_tool_calls: honoured("`false`: one call at a time."),
	functions: honoured("The older form of `tools`."),
	function_call: honoured("The older form of `tool_choice`."),
	stream: honoured("As events."),
	stream_options: honoured("`include_usage`. Nothing is obfuscated."),
	stop: honoured("The gateway ends the reply there."),
	max_tokens: honoured("The gateway ends the reply there."),
	max_completion_tokens: honoured("The gateway ends the reply there."),
	n: honoured("A run for each reply."),
	response_format: honoured("The gateway checks the reply, and asks again if it does not fit the schema."),
	reasoning_effort: honoured("As far as the model has efforts; otherwise with a warning."),
	reasoning: honoured(
		"OpenRouter's form: `effort`; `enabled` (`false`: no thinking); `max_tokens` as the nearest effort. `exclude` has no effect, with a warning.",
	),
	...CHAT_WITHOUT_EFFECT,
	metadata: hint("Never an identity. It may hold wishes such as `cursor_mode`."),
	user: hint("Never an identity."),
	safety_identifier: hint("Never an identity. It is not sent to Cursor."),
	prompt_cache_key: hint("Cursor caches by itself."),
	prompt_cache_options: hint("Cursor caches by itself."),
	prompt_cache_retention: hint("Cursor caches by itself."),
	store: hint("Nothing is stored for Chat Completions."),
} satisfies RequestFields;
