import { atOnce, type Sliced } from "../../time/slices.ts";
import { repairedHistory } from "../../turn/normalize.ts";
import { emptyRequest, type OutputFormat, type OutputLimits, type TurnRequest } from "../../turn/request.ts";
import { decodeCursorWishes } from "../shared/cursor-wishes.ts";
import { decodeEffort } from "../shared/effort.ts";
import { parseItems } from "../shared/fields.ts";
import { invalid, parseWith } from "../shared/invalid.ts";
import { Warnings } from "../shared/warnings.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeTextContent } from "./decode-parts.ts";
import { decodeTools } from "./decode-tools.ts";
import { type ChatRequestBody, chatRequestSchema, messageSchema, type SettingWithoutEffect } from "./schema.ts";

/** A Chat Completions request: the turn, and what only the answer's form depends on. */
export interface ChatRequest {
	turn: TurnRequest;
	stream: boolean;
	/** The stream ends with a chunk that holds the token counts. */
	includeUsage: boolean;
	/** How many answers are wanted. */
	n: number;
	/** Calls are answered as `function_call`, as the client offered `functions`. */
	legacyFunctions: boolean;
}

/** Reads a body that `parseJsonBody` gave. Throws a `GatewayError` where it is not a request. */
export const decodeChatRequest = (json: unknown): ChatRequest => atOnce(chatRequest(json));

/** The same in slices. */
export function* chatRequest(json: unknown): Sliced<ChatRequest> {
	const body = parseWith(chatRequestSchema, json);
	const given = yield* parseItems(messageSchema, body.messages, "messages");
	const warnings = new Warnings();
	warnOfSettings(body, warnings);
	const leading = decodeTextContent(body.system, "system", warnings).map(({ text }) => text);
	const { system, messages } = yield* decodeMessages(given, warnings);
	const repaired = yield* repairedHistory(messages);
	for (const line of repaired.warnings) warnings.add(line);
	if (repaired.messages.length === 0) {
		const isAsked = given.length > 0 && messages.every(({ role }) => role !== "tool");
		if (!isAsked) throw invalid("messages", "must hold a message that is not empty");
		// The API takes empty messages, and so does the model.
		repaired.messages.push({ role: "user", content: [] });
	}
	const { legacyFunctions, ...tools } = yield* decodeTools(body, warnings);
	const turn: TurnRequest = {
		...emptyRequest(body.model),
		...decodeCursorWishes(body),
		...tools,
		system: [...leading.filter((text) => text !== ""), ...system],
		messages: repaired.messages,
		limits: decodeLimits(body),
		output: decodeOutput(body),
		metadata: decodeMetadata(body),
		warnings: warnings.lines,
	};
	const effort = body.reasoning_effort ?? body.reasoning?.effort;
	if (effort) turn.thinking = { effort: decodeEffort(effort, "reasoning_effort", warnings) };
	return {
		turn,
		stream: body.stream ?? false,
		includeUsage: body.stream_options?.include_usage ?? false,
		n: body.n ?? 1,
		legacyFunctions,
	};
}

/** Settings that the upstream does not have, with the values that ask for nothing. */
const WITHOUT_EFFECT: Readonly<Record<SettingWithoutEffect, readonly unknown[]>> = {
	temperature: [1],
	top_p: [1],
	frequency_penalty: [0],
	presence_penalty: [0],
	seed: [],
	logprobs: [false],
	top_logprobs: [0],
	logit_bias: [],
	service_tier: ["auto", "default"],
	verbosity: [],
	modalities: ["text"],
	audio: [],
	prediction: [],
	web_search_options: [],
};

function warnOfSettings(body: ChatRequestBody, warnings: Warnings): void {
	for (const [setting, idle] of Object.entries(WITHOUT_EFFECT)) {
		const value = body[setting as SettingWithoutEffect] ?? undefined;
		const asksForNothing = value === undefined || idle.includes(Array.isArray(value) ? value.join() : value);
		if (!asksForNothing) warnings.add(`${setting} has no effect`);
	}
}

function decodeLimits(body: ChatRequestBody): OutputLimits {
	const param = typeof body.max_completion_tokens === "number" ? "max_completion_tokens" : "max_tokens";
	const max = body[param] ?? -1;
	if (max === 0) throw invalid(param, "must be at least 1");
	const stop = typeof body.stop === "string" ? [body.stop] : (body.stop ?? []);
	const limits: OutputLimits = { stop: stop.filter((sequence) => sequence !== "").map(wellFormed) };
	// Some clients write -1 for "no limit".
	return max === -1 ? limits : { ...limits, maxOutputTokens: max };
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

function decodeMetadata({ metadata, user, prompt_cache_key: cacheKey }: ChatRequestBody): TurnRequest["metadata"] {
	return { ...metadata, ...(user && { user }), ...(cacheKey && { prompt_cache_key: cacheKey }) };
}
