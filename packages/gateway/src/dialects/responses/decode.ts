import { atOnce, type Sliced } from "../../time/slices.ts";
import { GatewayError } from "../../turn/error.ts";
import {
	emptyRequest,
	type OutputFormat,
	type OutputLimits,
	type ThinkingWish,
	type TurnRequest,
} from "../../turn/request.ts";
import type { Sealer } from "../dialect.ts";
import { warnOfFields } from "../fields/request-fields.ts";
import { RESPONSES_WITHOUT_EFFECT } from "../fields/responses-fields.ts";
import { repairMessages } from "../shared/conversation.ts";
import { decodeCursorWishes } from "../shared/cursor-wishes.ts";
import { decodeEffort } from "../shared/effort.ts";
import { invalid, parseWith } from "../shared/invalid.ts";
import { decodeOpenaiMetadata } from "../shared/openai-metadata.ts";
import { Warnings } from "../shared/warnings.ts";
import { asksForCompaction, keptMessages } from "./compaction-input.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeTools } from "./decode-tools.ts";
import { expandInput, type ResolveEarlier } from "./earlier.ts";
import { echoOf, type ResponseEcho } from "./echo.ts";
import { type ResponsesRequestBody, responsesRequestSchema } from "./schema.ts";
import type { CallForms } from "./tool-names.ts";

/** A Responses request: the turn, what the form of the reply depends on, and what is stored of it. */
export interface ResponsesRequest {
	turn: TurnRequest;
	stream: boolean;
	/** The response can be named in later requests. */
	store: boolean;
	/** The reply is a summary that replaces the conversation. */
	isCompaction: boolean;
	/** Every item before the reply, as it came: of earlier responses and of this request. */
	input: unknown[];
	echo: ResponseEcho;
	callForms: CallForms;
	/** The client wants an opaque text with each piece of thinking. */
	encryptedReasoning: boolean;
}

const ENCRYPTED_REASONING = "reasoning.encrypted_content";

/**
 * Reads a parsed body. Throws a `GatewayError` if it is not a valid request, or if it names something earlier that
 * `resolve` does not know.
 */
export const decodeResponsesRequest = (json: unknown, resolve: ResolveEarlier, sealer?: Sealer): ResponsesRequest =>
	atOnce(responsesRequest(json, resolve, sealer));

/** The same in slices. */
export function* responsesRequest(json: unknown, resolve: ResolveEarlier, sealer?: Sealer): Sliced<ResponsesRequest> {
	const body = parseWith(responsesRequestSchema, json);
	refuseWhatIsElsewhere(body);
	const warnings = new Warnings();
	warnOfFields(body, RESPONSES_WITHOUT_EFFECT, warnings);
	warnOfFurtherSettings(body, warnings);
	const { items, raw } = yield* expandInput(body, resolve);
	const isCompaction = asksForCompaction(items);
	const { system, messages } = yield* decodeMessages(body.instructions, items, warnings, sealer);
	const rules = { param: "input", mayBeEmpty: items.some(({ item }) => item.type === "message") };
	const repaired = yield* repairMessages(messages, rules, warnings);
	const { callForms, ...tools } = yield* decodeTools(body, items, warnings);
	const turn: TurnRequest = {
		...emptyRequest(body.model),
		...decodeCursorWishes(body),
		...tools,
		system,
		messages: repaired,
		limits: decodeLimits(body),
		thinking: decodeThinking(body, warnings),
		output: decodeOutput(body),
		metadata: decodeOpenaiMetadata(body),
		warnings: warnings.lines,
	};
	return {
		turn: isCompaction ? forSummary(turn) : turn,
		isCompaction,
		stream: body.stream ?? false,
		store: body.store ?? true,
		input: isCompaction ? keptMessages(raw) : raw,
		echo: echoOf(body),
		callForms,
		encryptedReasoning: body.include?.includes(ENCRYPTED_REASONING) ?? false,
	};
}

/** Only a text is wanted, of whatever length. What cannot be called is not called. */
function forSummary(turn: TurnRequest): TurnRequest {
	return { ...turn, ...{ tools: [], toolChoice: { kind: "auto" }, limits: { stop: [] }, output: { kind: "text" } } };
}

/** Parts of the prompt that only OpenAI has: without them the model would answer another question. */
function refuseWhatIsElsewhere({ conversation, prompt }: ResponsesRequestBody): void {
	if (conversation) {
		throw new GatewayError("not-found", "conversation names nothing that is stored.", {
			param: "conversation",
			nextStep: "Use previous_response_id, or send the conversation itself in input.",
		});
	}
	if (prompt) throw invalid("prompt", "must be left out: there are no stored prompts here; send its text in input");
}

function warnOfFurtherSettings(body: ResponsesRequestBody, warnings: Warnings): void {
	if ((body.text?.verbosity ?? "medium") !== "medium") warnings.add("text.verbosity has no effect");
	if (body.include?.some((name) => name !== ENCRYPTED_REASONING)) {
		warnings.add(`include: nothing but ${ENCRYPTED_REASONING} has an effect`);
	}
}

function decodeLimits({ max_output_tokens: max }: ResponsesRequestBody): OutputLimits {
	return { stop: [], ...(typeof max === "number" && { maxOutputTokens: max }) };
}

function decodeThinking({ reasoning }: ResponsesRequestBody, warnings: Warnings): ThinkingWish {
	return reasoning?.effort ? decodeEffort(reasoning.effort, "reasoning.effort", warnings) : {};
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
