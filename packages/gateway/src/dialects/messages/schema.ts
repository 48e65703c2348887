import * as z from "zod";
import { cursorFields } from "../shared/cursor-wishes.ts";
import { jsonObject, list, oneLine, shortText, uncheckedList } from "../shared/fields.ts";
import { MAX_MESSAGES, MAX_PARTS, MAX_STOP_LENGTH, MAX_STOP_SEQUENCES, MAX_TOOLS } from "../shared/limits.ts";

// The request as clients send it. Fields that are not named here, `cache_control` among them, are accepted and left
// aside; where the API allows a field to be left out, null is taken for the same.

const name = oneLine(256);
const id = oneLine(4096);
const wholeNumber = z.int();

/** A block of an unknown type. Its other fields are not checked. */
interface OtherBlock {
	type: "other";
}

/**
 * One of several blocks, distinguished by their type. An unknown type is not an error, because clients send back
 * whatever a vendor once gave them.
 */
function blockOf<S extends z.ZodType>(schemas: Readonly<Record<string, S>>) {
	const byType = new Map(Object.entries(schemas));
	return z.looseObject({ type: oneLine(64) }).transform((block, context): z.infer<S> | OtherBlock => {
		const schema = byType.get(block.type);
		if (!schema) return { type: "other" };
		const result = schema.safeParse(block);
		if (result.success) return result.data;
		context.issues.push(result.error.issues[0] as z.core.$ZodRawIssue);
		return z.NEVER;
	});
}

const contentOf = <T>(block: z.ZodType<T>) => z.union([z.string(), list(block, MAX_PARTS)]);

const text = z.object({ type: z.literal("text"), text: z.string() });
const image = z.object({
	type: z.literal("image"),
	source: z.object({ type: oneLine(64), data: z.string().nullish(), url: z.string().nullish() }),
});
const document = z.object({
	type: z.literal("document"),
	source: z.object({
		type: oneLine(64),
		data: z.string().nullish(),
		content: contentOf(blockOf<typeof text | typeof image>({ text, image })).nullish(),
	}),
	title: z.string().nullish(),
	context: z.string().nullish(),
});
const searchResult = z.object({
	type: z.literal("search_result"),
	source: z.string(),
	title: z.string(),
	content: list(text, MAX_PARTS),
});
const toolReference = z.object({ type: z.literal("tool_reference"), tool_name: name });

type Material = typeof text | typeof image | typeof document | typeof searchResult | typeof toolReference;
const material = { text, image, document, search_result: searchResult, tool_reference: toolReference };

const toolResult = z.object({
	type: z.literal("tool_result"),
	tool_use_id: id,
	content: contentOf(blockOf<Material>(material)).nullish(),
	is_error: z.boolean().nullish(),
});
const toolUse = z.object({
	type: z.literal("tool_use"),
	id,
	name,
	input: z.union([jsonObject, z.string()]).nullish(),
});
const thinking = z.object({
	type: z.literal("thinking"),
	thinking: z.string(),
	signature: z.string().nullish(),
});
const redactedThinking = z.object({ type: z.literal("redacted_thinking") });

const toolSchema = z.object({
	/** Left out or `custom` for the client's own tools; else one that the vendor runs or defines. */
	type: oneLine(64).nullish(),
	name: z.string().nullish(),
	description: z.string().nullish(),
	input_schema: jsonObject.nullish(),
	strict: z.boolean().nullish(),
	/** Offered only once the conversation names it. */
	defer_loading: z.boolean().nullish(),
	/** Of a web search. */
	max_uses: wholeNumber.nullish(),
	allowed_domains: z.unknown().optional(),
	blocked_domains: z.unknown().optional(),
	user_location: z.unknown().optional(),
});

/** Only in system messages. */
const changedTool = z.object({ name: name.nullish(), definition: toolSchema.nullish() });
const toolAddition = z.object({ type: z.literal("tool_addition"), tool: changedTool });
const toolRemoval = z.object({ type: z.literal("tool_removal"), tool: changedTool });

type ToolChange = typeof toolAddition | typeof toolRemoval;
/** A search that we reported. What it found is in the text that follows. */
const ownSearch = z.object({ type: z.string() }).transform(() => ({ type: "search" as const }));
/** The other tools that the vendor runs are none of ours. */
const serverToolUse = z
	.object({ name })
	.transform(({ name }) => ({ type: name === "web_search" ? ("search" as const) : ("other" as const) }));

type Block =
	| Material
	| typeof toolResult
	| typeof toolUse
	| typeof thinking
	| typeof redactedThinking
	| ToolChange
	| typeof ownSearch
	| typeof serverToolUse;
const blockSchema = blockOf<Block>({
	...material,
	tool_result: toolResult,
	tool_use: toolUse,
	thinking,
	redacted_thinking: redactedThinking,
	tool_addition: toolAddition,
	tool_removal: toolRemoval,
	server_tool_use: serverToolUse,
	web_search_tool_result: ownSearch,
});

export const messageSchema = z.object({
	role: z.enum(["user", "assistant", "system"]),
	content: contentOf(blockSchema).nullish(),
	/** These two only with the role system. */
	clear_at: oneLine(64).nullish(),
	output_config: z.object({ effort: oneLine(64).nullish() }).nullish(),
});

const toolChoiceSchema = z.object({
	type: oneLine(64),
	name: name.nullish(),
	disable_parallel_tool_use: z.boolean().nullish(),
});

const formatSchema = z.object({ type: oneLine(64), schema: jsonObject.nullish() });

/** Checked so that mistakes are reported, and then without effect: the upstream has no such settings. */
const withoutEffect = {
	temperature: z.number().nullish(),
	top_p: z.number().nullish(),
	top_k: wholeNumber.nullish(),
	service_tier: z.string().nullish(),
	context_management: jsonObject.nullish(),
	mcp_servers: list(jsonObject).nullish(),
	container: z.union([z.string(), jsonObject]).nullish(),
	speed: z.string().nullish(),
	inference_geo: z.string().nullish(),
	fallbacks: z.unknown().optional(),
	fallback_credit_token: z.unknown().optional(),
	diagnostics: jsonObject.nullish(),
};

export const messagesRequestSchema = z.object({
	...withoutEffect,
	...cursorFields,
	model: name.min(1),
	/** Each of them by `messageSchema`, later. */
	messages: uncheckedList(MAX_MESSAGES),
	system: z.union([z.string(), list(text, MAX_PARTS)]).nullish(),
	tools: list(toolSchema, MAX_TOOLS).nullish(),
	tool_choice: toolChoiceSchema.nullish(),
	max_tokens: wholeNumber.min(1).nullish(),
	stop_sequences: list(shortText(MAX_STOP_LENGTH), MAX_STOP_SEQUENCES).nullish(),
	stream: z.boolean().nullish(),
	thinking: z
		.object({ type: oneLine(64), budget_tokens: wholeNumber.nullish(), display: oneLine(64).nullish() })
		.nullish(),
	output_config: z
		.object({
			effort: oneLine(64).nullish(),
			format: formatSchema.nullish(),
			task_budget: z.unknown().optional(),
		})
		.nullish(),
	/** The older place of `output_config.format`. */
	output_format: formatSchema.nullish(),
	metadata: z
		.object({
			user_id: oneLine(4096).nullish(),
			cursor_mode: oneLine(64).nullish(),
			cursor_max_mode: oneLine(64).nullish(),
		})
		.nullish(),
	thread: z.unknown().optional(),
	compaction: z.unknown().optional(),
});

export type MessagesRequestBody = z.infer<typeof messagesRequestSchema>;
export type MessagesMessage = z.infer<typeof messageSchema>;
export type MessagesContent = string | readonly MessagesBlock[] | null | undefined;
export type MessagesBlock = z.infer<typeof blockSchema>;
export type MaterialBlock = z.infer<Material>;
export type ToolResultBlock = z.infer<typeof toolResult>;
export type ToolUseBlock = z.infer<typeof toolUse>;
export type ThinkingBlock = z.infer<typeof thinking>;
export type MessagesToolChoice = z.infer<typeof toolChoiceSchema>;
export type SettingWithoutEffect = keyof typeof withoutEffect;
