import * as z from "zod";
import { cursorFields } from "../shared/cursor-wishes.ts";
import { jsonObject, list, oneLine, uncheckedList } from "../shared/fields.ts";
import { MAX_MESSAGES, MAX_PARTS, MAX_TOOLS } from "../shared/limits.ts";

// The request as clients send it. Fields that are not named here are accepted and left aside; where the API allows a
// field to be left out, null is taken for the same.

const name = oneLine(256);
const id = oneLine(4096);
const label = oneLine(64);
const wholeNumber = z.int();

type Schemas = Readonly<Record<string, z.ZodType>>;
type Variants<S extends Schemas> = { [K in keyof S & string]: { type: K } & z.infer<S[K]> }[keyof S & string];
/** Something of an unknown type. Its fields are not checked, because they may be anything. */
interface Other {
	type: "other";
	given: string;
}

/** A value whose type decides which fields it has. Types may use the same names for different fields. */
function byType<S extends Schemas>(schemas: S, typeOf: (raw: { type?: unknown; role?: unknown }) => string) {
	return z.looseObject({ type: label.nullish() }).transform((raw, context): Variants<S> | Other => {
		const type = typeOf(raw);
		if (!Object.hasOwn(schemas, type)) return { type: "other", given: type };
		const result = (schemas[type] as z.ZodType<object>).safeParse(raw);
		if (result.success) return { ...result.data, type } as Variants<S>;
		context.issues.push(...(result.error.issues as z.core.$ZodRawIssue[]));
		return z.NEVER;
	});
}

const partSchema = z.object({
	type: label,
	text: z.string().nullish(),
	refusal: z.string().nullish(),
	image_url: z.string().nullish(),
});
const content = z.union([z.string(), list(partSchema, MAX_PARTS)]).nullish();

const functionSchema = z.object({
	name: z.string(),
	description: z.string().nullish(),
	parameters: jsonObject.nullish(),
	strict: z.boolean().nullish(),
});
const customSchema = z.object({
	name: name.min(1),
	description: z.string().nullish(),
	format: z.object({ type: label, syntax: label.nullish(), definition: z.string().nullish() }).nullish(),
});
const callable = { function: functionSchema, custom: customSchema };
const typeOfTool = ({ type }: { type?: unknown }) => String(type ?? "function");
const namespaceSchema = z.object({
	name,
	description: z.string().nullish(),
	tools: list(byType(callable, typeOfTool), MAX_TOOLS),
});
const toolSchema = byType({ ...callable, namespace: namespaceSchema }, typeOfTool);

const result = z.object({ call_id: id, output: content });
const called = { call_id: id, name, namespace: name.nullish() };

const sealed = z.object({ encrypted_content: z.string() });

const ITEMS = {
	message: z.object({ role: z.enum(["system", "developer", "user", "assistant"]), content }),
	function_call: z.object({ ...called, arguments: z.union([z.string(), jsonObject]).nullish() }),
	function_call_output: result,
	custom_tool_call: z.object({ ...called, input: z.string().nullish() }),
	custom_tool_call_output: result,
	reasoning: z.object({
		summary: list(partSchema, MAX_PARTS).nullish(),
		content: list(partSchema, MAX_PARTS).nullish(),
	}),
	item_reference: z.object({ id }),
	/** A conversation that was compacted here before. The API has had two names for it. */
	compaction: sealed,
	compaction_summary: sealed,
	/** Asks for a compaction of everything before it. */
	compaction_trigger: z.object({}),
	/** Tools offered from here on: how Codex offers all of them to the newest models. */
	additional_tools: z.object({ tools: list(toolSchema, MAX_TOOLS) }),
};

/** Items without a type are messages, or references if they have no role either. */
export const itemSchema = byType(ITEMS, ({ type, role }) =>
	String(type ?? ((role ?? undefined) === undefined ? "item_reference" : "message")),
);

const namedTool = z.object({ name: name.nullish(), namespace: name.nullish() });
const toolChoiceSchema = z.union([
	label,
	namedTool.extend({ type: label, mode: label.nullish(), tools: list(namedTool, MAX_TOOLS).nullish() }),
]);

const textFormatSchema = z.object({
	type: z.enum(["text", "json_object", "json_schema"]),
	name: name.nullish(),
	description: z.string().nullish(),
	schema: jsonObject.nullish(),
	strict: z.boolean().nullish(),
});

/** Checked so that mistakes are reported, and then without effect: the upstream has no such settings. */
const withoutEffect = {
	temperature: z.number().nullish(),
	top_p: z.number().nullish(),
	top_logprobs: wholeNumber.nullish(),
	service_tier: label.nullish(),
	truncation: label.nullish(),
	background: z.boolean().nullish(),
	max_tool_calls: wholeNumber.nullish(),
	moderation: jsonObject.nullish(),
	context_management: list(jsonObject).nullish(),
};

export const responsesRequestSchema = z.object({
	...withoutEffect,
	...cursorFields,
	model: name.min(1),
	/** Each item by `itemSchema`, later. */
	input: z.union([z.string(), uncheckedList(MAX_MESSAGES)]).nullish(),
	instructions: z.string().nullish(),
	previous_response_id: id.nullish(),
	conversation: z.union([id, z.object({ id })]).nullish(),
	prompt: jsonObject.nullish(),
	tools: list(toolSchema, MAX_TOOLS).nullish(),
	tool_choice: toolChoiceSchema.nullish(),
	parallel_tool_calls: z.boolean().nullish(),
	text: z.object({ format: textFormatSchema.nullish(), verbosity: label.nullish() }).nullish(),
	reasoning: z.object({ effort: label.nullish(), summary: label.nullish() }).nullish(),
	include: list(oneLine(256), MAX_TOOLS).nullish(),
	max_output_tokens: wholeNumber.min(1).nullish(),
	stream: z.boolean().nullish(),
	store: z.boolean().nullish(),
	user: oneLine(1024).nullish(),
	safety_identifier: oneLine(1024).nullish(),
	metadata: z.record(oneLine(256), oneLine(4096)).nullish(),
	prompt_cache_key: oneLine(1024).nullish(),
});

export type ResponsesRequestBody = z.infer<typeof responsesRequestSchema>;
export type ResponsesItem = z.infer<typeof itemSchema>;
export type ItemOf<T extends ResponsesItem["type"]> = Extract<ResponsesItem, { type: T }>;
export type ResponsesContent = z.infer<typeof content>;
export type ResponsesPart = z.infer<typeof partSchema>;
export type ResponsesTool = z.infer<typeof toolSchema>;
export type ToolOf<T extends ResponsesTool["type"]> = Extract<ResponsesTool, { type: T }>;
export type ResponsesToolChoice = z.infer<typeof toolChoiceSchema>;
export type SettingWithoutEffect = keyof typeof withoutEffect;
