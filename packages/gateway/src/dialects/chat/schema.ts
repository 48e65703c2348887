import * as z from "zod";
import { cursorFields } from "../shared/cursor-wishes.ts";
import { jsonObject, list, oneLine, shortText, uncheckedList } from "../shared/fields.ts";
import {
	MAX_CHOICES,
	MAX_MESSAGES,
	MAX_PARTS,
	MAX_STOP_LENGTH,
	MAX_STOP_SEQUENCES,
	MAX_TOOLS,
} from "../shared/limits.ts";

// The request as clients send it. Fields that are not named here are accepted and left aside; where the API allows a
// field to be left out, null is taken for the same.

export const MAX_NAME = 256;
export const MAX_ID = 4_096;

const name = oneLine(MAX_NAME);
const id = oneLine(MAX_ID);
const wholeNumber = z.int();
const stopSequence = shortText(MAX_STOP_LENGTH);

const imageUrl = z.union([z.string(), z.object({ url: z.string() })]);

const partSchema = z.object({
	type: oneLine(64),
	text: z.string().nullish(),
	refusal: z.string().nullish(),
	image_url: imageUrl.nullish(),
});

const functionCallSchema = z.object({
	name,
	arguments: z.union([z.string(), jsonObject]).nullish(),
});

const toolCallSchema = z.object({
	id: id.nullish(),
	function: functionCallSchema.nullish(),
	custom: z.object({ name, input: z.string().nullish() }).nullish(),
});

export const messageSchema = z.object({
	role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
	content: z.union([z.string(), list(partSchema, MAX_PARTS)]).nullish(),
	name: name.nullish(),
	refusal: z.string().nullish(),
	reasoning_content: z.string().nullish(),
	reasoning: z.string().nullish(),
	tool_calls: list(toolCallSchema, MAX_PARTS).nullish(),
	function_call: functionCallSchema.nullish(),
	tool_call_id: id.nullish(),
	is_error: z.boolean().nullish(),
});

const functionSchema = z.object({
	name: z.string(),
	description: z.string().nullish(),
	parameters: jsonObject.nullish(),
	strict: z.boolean().nullish(),
});

const toolSchema = z.object({
	type: oneLine(64).nullish(),
	function: functionSchema.nullish(),
});

const namedTool = z.object({ name });
const chosenTool = z.object({ function: namedTool.nullish(), custom: namedTool.nullish() });

const toolChoiceSchema = z.union([
	oneLine(64),
	chosenTool.extend({
		type: oneLine(64).nullish(),
		allowed_tools: z.object({ mode: z.enum(["auto", "required"]), tools: list(chosenTool, MAX_TOOLS) }).nullish(),
	}),
]);

const jsonSchemaSchema = z.object({
	name: name.nullish(),
	schema: jsonObject.nullish(),
	strict: z.boolean().nullish(),
});

/** The schema is in `json_schema`. Clients that are made for the Responses API put it beside the type. */
const responseFormatSchema = jsonSchemaSchema.extend({
	type: z.enum(["text", "json_object", "json_schema"]),
	json_schema: jsonSchemaSchema.nullish(),
});

/** Checked so that mistakes are reported, and then without effect: the upstream has no such settings. */
const withoutEffect = {
	temperature: z.number().nullish(),
	top_p: z.number().nullish(),
	frequency_penalty: z.number().nullish(),
	presence_penalty: z.number().nullish(),
	seed: z.number().nullish(),
	logprobs: z.boolean().nullish(),
	top_logprobs: wholeNumber.nullish(),
	logit_bias: jsonObject.nullish(),
	service_tier: z.string().nullish(),
	verbosity: z.string().nullish(),
	modalities: list(z.string()).nullish(),
	audio: jsonObject.nullish(),
	prediction: jsonObject.nullish(),
	web_search_options: jsonObject.nullish(),
	moderation: jsonObject.nullish(),
};

export const chatRequestSchema = z.object({
	...withoutEffect,
	...cursorFields,
	model: name.min(1),
	/** Not part of the API. Clients of some proxies send their system prompt in it. */
	system: z.union([z.string(), list(partSchema, MAX_PARTS)]).nullish(),
	/** Each of them by `messageSchema`, later. */
	messages: uncheckedList(MAX_MESSAGES),
	tools: list(toolSchema, MAX_TOOLS).nullish(),
	tool_choice: toolChoiceSchema.nullish(),
	parallel_tool_calls: z.boolean().nullish(),
	functions: list(functionSchema, MAX_TOOLS).nullish(),
	function_call: z.union([oneLine(64), namedTool]).nullish(),
	stream: z.boolean().nullish(),
	stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
	stop: z.union([stopSequence, list(stopSequence, MAX_STOP_SEQUENCES)]).nullish(),
	max_tokens: wholeNumber.min(-1).nullish(),
	max_completion_tokens: wholeNumber.min(-1).nullish(),
	response_format: responseFormatSchema.nullish(),
	reasoning_effort: oneLine(64).nullish(),
	/** Not part of the API, but of OpenRouter's. */
	reasoning: z
		.object({
			effort: oneLine(64).nullish(),
			enabled: z.boolean().nullish(),
			max_tokens: wholeNumber.nullish(),
			exclude: z.boolean().nullish(),
		})
		.nullish(),
	n: wholeNumber.min(1).max(MAX_CHOICES).nullish(),
	user: oneLine(1024).nullish(),
	metadata: z.record(oneLine(256), oneLine(4096)).nullish(),
	prompt_cache_key: oneLine(1024).nullish(),
	store: z.boolean().nullish(),
	safety_identifier: oneLine(1024).nullish(),
});

export type ChatRequestBody = z.infer<typeof chatRequestSchema>;
export type ChatMessage = z.infer<typeof messageSchema>;
export type ChatPart = z.infer<typeof partSchema>;
export type ChatToolCall = z.infer<typeof toolCallSchema>;
export type ChatFunctionCall = z.infer<typeof functionCallSchema>;
export type ChatFunction = z.infer<typeof functionSchema>;
export type SettingWithoutEffect = keyof typeof withoutEffect;
export type ChatToolChoice = z.infer<typeof toolChoiceSchema>;
