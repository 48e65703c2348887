import { atOnce, type Sliced } from "../../time/slices.ts";
import { GatewayError } from "../../turn/error.ts";
import { repairedHistory } from "../../turn/normalize.ts";
import { emptyRequest, type OutputFormat, type OutputLimits, type TurnRequest } from "../../turn/request.ts";
import { decodeCursorWishes } from "../shared/cursor-wishes.ts";
import { decodeEffort } from "../shared/effort.ts";
import { invalid, parseWith } from "../shared/invalid.ts";
import { Warnings } from "../shared/warnings.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeTools } from "./decode-tools.ts";
import { expandInput, type ResolveEarlier } from "./earlier.ts";
import { echoOf, type ResponseEcho } from "./echo.ts";
import { type ResponsesRequestBody, responsesRequestSchema, type SettingWithoutEffect } from "./schema.ts";
import type { CallForms } from "./tool-names.ts";

/** A Responses request: the turn, what only the answer's form depends on, and what its record needs. */
export interface ResponsesRequest {
	turn: TurnRequest;
	stream: boolean;
	/** The response can be named in later requests. */
	store: boolean;
	previousResponseId: string | undefined;
	/** Ids of items that were named and not sent. */
	references: string[];
	/** Every item before the answer, as it came: of earlier responses and of this request. */
	input: unknown[];
	echo: ResponseEcho;
	callForms: CallForms;
	/** The client wants an opaque text with each piece of thinking. */
	encryptedReasoning: boolean;
}

const ENCRYPTED_REASONING = "reasoning.encrypted_content";

/**
 * Reads a body that `parseJsonBody` gave. Throws a `GatewayError` where it is not a request, and where it names
 * something earlier that `resolve` does not know.
 */
export const decodeResponsesRequest = (json: unknown, resolve: ResolveEarlier): ResponsesRequest =>
	atOnce(responsesRequest(json, resolve));

/** The same in slices. */
export function* responsesRequest(json: unknown, resolve: ResolveEarlier): Sliced<ResponsesRequest> {
	const body = parseWith(responsesRequestSchema, json);
	refuseWhatIsElsewhere(body);
	const warnings = new Warnings();
	warnOfSettings(body, warnings);
	const { items, raw, references } = yield* expandInput(body, resolve);
	const { system, messages } = yield* decodeMessages(body.instructions, items, warnings);
	const repaired = yield* repairedHistory(messages);
	for (const line of repaired.warnings) warnings.add(line);
	if (repaired.messages.length === 0) {
		const isAsked = items.some(({ item }) => item.type === "message") && messages.every(({ role }) => role !== "tool");
		if (!isAsked) throw invalid("input", "must hold a message that is not empty");
		// The API takes empty messages, and so does the model.
		repaired.messages.push({ role: "user", content: [] });
	}
	const { callForms, ...tools } = yield* decodeTools(body, items, warnings);
	const turn: TurnRequest = {
		...emptyRequest(body.model),
		...decodeCursorWishes(body),
		...tools,
		system,
		messages: repaired.messages,
		limits: decodeLimits(body),
		output: decodeOutput(body),
		metadata: decodeMetadata(body),
		warnings: warnings.lines,
	};
	const effort = body.reasoning?.effort;
	if (effort) turn.thinking = { effort: decodeEffort(effort, "reasoning.effort", warnings) };
	return {
		turn,
		stream: body.stream ?? false,
		store: body.store ?? true,
		previousResponseId: body.previous_response_id ?? undefined,
		references,
		input: raw,
		echo: echoOf(body),
		callForms,
		encryptedReasoning: body.include?.includes(ENCRYPTED_REASONING) ?? false,
	};
}

/** Parts of the prompt that lie at OpenAI: an answer without them would be an answer to something else. */
function refuseWhatIsElsewhere({ conversation, prompt }: ResponsesRequestBody): void {
	if (conversation) {
		throw new GatewayError("not-found", "conversation names nothing that is stored.", {
			param: "conversation",
			nextStep: "Use previous_response_id, or send the conversation itself in input.",
		});
	}
	if (prompt) throw invalid("prompt", "must be left out: there are no stored prompts here; send its text in input");
}

/** Settings that the upstream does not have, with the values that ask for nothing. */
const WITHOUT_EFFECT: Readonly<Record<SettingWithoutEffect, readonly unknown[]>> = {
	temperature: [1],
	top_p: [1],
	top_logprobs: [0],
	service_tier: ["auto", "default"],
	truncation: ["disabled"],
	background: [false],
	max_tool_calls: [],
};

function warnOfSettings(body: ResponsesRequestBody, warnings: Warnings): void {
	for (const [setting, idle] of Object.entries(WITHOUT_EFFECT)) {
		const value = body[setting as SettingWithoutEffect] ?? undefined;
		if (value !== undefined && !idle.includes(value)) warnings.add(`${setting} has no effect`);
	}
	if ((body.text?.verbosity ?? "medium") !== "medium") warnings.add("text.verbosity has no effect");
	if (body.include?.some((name) => name !== ENCRYPTED_REASONING)) {
		warnings.add(`include: nothing but ${ENCRYPTED_REASONING} has an effect`);
	}
}

function decodeLimits({ max_output_tokens: max }: ResponsesRequestBody): OutputLimits {
	return { stop: [], ...(typeof max === "number" && { maxOutputTokens: max }) };
}

function decodeOutput({ text }: ResponsesRequestBody): OutputFormat {
	const format = text?.format;
	switch (format?.type) {
		case undefined:
		case "text":
			return { kind: "text" };
		case "json_object":
			return { kind: "json" };
		case "json_schema": {
			const { name, schema, strict } = format;
			const schemaParam = "text.format.schema";
			if (!schema) throw invalid(schemaParam, "is required and must be an object");
			return { kind: "json-schema", name: name ?? "response", schema, strict: strict ?? false, schemaParam };
		}
	}
}

function decodeMetadata(body: ResponsesRequestBody): TurnRequest["metadata"] {
	const { metadata, user, prompt_cache_key: cacheKey } = body;
	return { ...metadata, ...(user && { user }), ...(cacheKey && { prompt_cache_key: cacheKey }) };
}
