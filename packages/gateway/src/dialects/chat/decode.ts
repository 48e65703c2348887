import { atOnce, type Sliced } from "../../time/slices.ts";
import { isInForm } from "../../turn/normalize.ts";
import type { OutputFormat, OutputLimits, ThinkingWish, TurnRequest } from "../../turn/request.ts";
import type { WebSearchWish } from "../../turn/web-search.ts";
import { CHAT_WITHOUT_EFFECT } from "../fields/chat-fields.ts";
import { warnOfFields } from "../fields/request-fields.ts";
import { repairMessages } from "../shared/conversation.ts";
import { decodeCursorWishes } from "../shared/cursor-wishes.ts";
import { decodeEffort, effortOfBudget } from "../shared/effort.ts";
import { parseItems, plainItems } from "../shared/fields.ts";
import { invalid, parseWith } from "../shared/invalid.ts";
import { decodeOpenaiMetadata } from "../shared/openai-metadata.ts";
import { Warnings } from "../shared/warnings.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeTextContent } from "./decode-parts.ts";
import { decodeTools, offersTools, withoutTools } from "./decode-tools.ts";
import { isPlainMessage } from "./plain-messages.ts";
import { isPlainRequest } from "./plain-request.ts";
import { type ChatRequestBody, chatRequestSchema, messageSchema } from "./schema.ts";

/** A Chat Completions request: the turn, and what the form of the reply depends on. */
export interface ChatRequest {
	turn: TurnRequest;
	stream: boolean;
	/** The stream ends with a chunk that holds the token counts. */
	includeUsage: boolean;
	/** How many replies are wanted. */
	n: number;
	/** Calls are written as `function_call`, because the client offered `functions`. */
	legacyFunctions: boolean;
}

/** Reads a parsed body. Throws a `GatewayError` if it is not a valid request. */
export const decodeChatRequest = (json: unknown): ChatRequest => atOnce(chatRequest(json));

/** The same in slices. */
export function* chatRequest(json: unknown): Sliced<ChatRequest> {
	const body = isPlainRequest(json) ? json : parseWith(chatRequestSchema, json);
	const given =
		plainItems(body.messages, isPlainMessage) ??
		(yield* parseItems(messageSchema, body.messages, "messages", isPlainMessage));
	const warnings = new Warnings();
	warnOfFields(body, CHAT_WITHOUT_EFFECT, warnings);
	const leading = leadingTexts(body, warnings);
	const { system, messages } = yield* decodeMessages(given, warnings);
	const rules = { param: "messages", mayBeEmpty: given.length > 0 };
	const repaired = isInForm(messages) ? messages : yield* repairMessages(messages, rules, warnings);
	const offered = offersTools(body) ? yield* decodeTools(body, warnings) : withoutTools(body);
	const { legacyFunctions, tools, toolChoice, parallelToolCalls } = offered;
	const { mode, maxMode } = decodeCursorWishes(body);
	const turn: TurnRequest = {
		model: body.model,
		system: leading.length === 0 ? system : [...leading, ...system],
		messages: repaired,
		tools,
		toolChoice,
		parallelToolCalls,
		limits: decodeLimits(body),
		thinking: decodeThinking(body, warnings),
		output: decodeOutput(body),
		metadata: decodeOpenaiMetadata(body),
		warnings: warnings.lines,
	};
	if (body.web_search_options) turn.webSearch = decodeSearch(body, tools.length === 0, warnings);
	if (mode) turn.mode = mode;
	if (maxMode !== undefined) turn.maxMode = maxMode;
	return {
		turn,
		stream: body.stream ?? false,
		includeUsage: body.stream_options?.include_usage ?? false,
		n: body.n ?? 1,
		legacyFunctions,
	};
}

const NO_TEXTS: readonly string[] = [];

/** What stands before the messages, as in Anthropic's API. */
function leadingTexts({ system }: ChatRequestBody, warnings: Warnings): readonly string[] {
	if (!system) return NO_TEXTS;
	return decodeTextContent(system, "system", warnings)
		.map(({ text }) => text)
		.filter((text) => text !== "");
}

/** Without tools there is nothing but the search that the client can want. */
function decodeSearch(
	{ web_search_options: options }: ChatRequestBody,
	isDemanded: boolean,
	warnings: Warnings,
): WebSearchWish {
	for (const field of ["search_context_size", "user_location"] as const) {
		if (options?.[field]) warnings.add(`web_search_options.${field} has no effect: Cursor chooses what it reads`);
	}
	return { isDemanded };
}

function decodeLimits(body: ChatRequestBody): OutputLimits {
	const param = typeof body.max_completion_tokens === "number" ? "max_completion_tokens" : "max_tokens";
	const max = body[param] ?? -1;
	if (max === 0) throw invalid(param, "must be at least 1");
	const stop = typeof body.stop === "string" ? [body.stop] : (body.stop ?? []);
	const limits: OutputLimits = {
		stop: stop.length === 0 ? [] : stop.filter((sequence) => sequence !== "").map(wellFormed),
	};
	// Some clients write -1 for "no limit".
	return max === -1 ? limits : { ...limits, maxOutputTokens: max };
}

function decodeThinking({ reasoning_effort, reasoning }: ChatRequestBody, warnings: Warnings): ThinkingWish {
	if (reasoning?.exclude) warnings.add("reasoning.exclude has no effect");
	if (reasoning_effort) return decodeEffort(reasoning_effort, "reasoning_effort", warnings);
	if (reasoning?.enabled === false) return { effort: "none" };
	if (reasoning?.effort) return decodeEffort(reasoning.effort, "reasoning.effort", warnings);
	return effortOfBudget(reasoning?.max_tokens);
}

function decodeOutput({ response_format: format }: ChatRequestBody): OutputFormat {
	switch (format?.type) {
		case undefined:
		case "text":
			return { kind: "text" };
		case "json_object":
			return { kind: "json" };
		case "json_schema": {
			if (!format.json_schema && !format.schema)
				throw invalid("response_format.json_schema", "is required and must be an object");
			const { name, schema, strict } = format.json_schema ?? format;
			if (!schema) return { kind: "json" };
			const schemaParam = format.json_schema ? "response_format.json_schema.schema" : "response_format.schema";
			return { kind: "json-schema", name: name ?? "response", schema, strict: strict ?? false, schemaParam };
		}
	}
}
