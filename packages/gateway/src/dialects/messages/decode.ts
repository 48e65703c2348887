import { atOnce, type Sliced } from "../../time/slices.ts";
import { GatewayError } from "../../turn/error.ts";
import {
	emptyRequest,
	type OutputFormat,
	type OutputLimits,
	type ThinkingWish,
	type TurnRequest,
} from "../../turn/request.ts";
import { MESSAGES_WITHOUT_EFFECT } from "../fields/messages-fields.ts";
import { warnOfFields } from "../fields/request-fields.ts";
import { repairMessages } from "../shared/conversation.ts";
import { decodeCursorWishes } from "../shared/cursor-wishes.ts";
import { decodeEffort, effortOfBudget } from "../shared/effort.ts";
import { parseItems } from "../shared/fields.ts";
import { invalid, parseWith } from "../shared/invalid.ts";
import { Warnings } from "../shared/warnings.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { decodeMessages } from "./decode-messages.ts";
import { toBlocks } from "./decode-parts.ts";
import { decodeTools } from "./decode-tools.ts";
import { type MessagesMessage, type MessagesRequestBody, messageSchema, messagesRequestSchema } from "./schema.ts";

/** A Messages request: the turn, and what the form of the reply depends on. */
export interface MessagesRequest {
	turn: TurnRequest;
	stream: boolean;
}

/** Reads a parsed body. Throws a `GatewayError` if it is not a valid request. */
export const decodeMessagesRequest = (json: unknown): MessagesRequest => atOnce(messagesRequest(json));

/** The same in slices. */
export function* messagesRequest(json: unknown): Sliced<MessagesRequest> {
	const body = parseWith(messagesRequestSchema, json);
	refuseThread(body);
	if (body.compaction) throw invalid("compaction", "must be left out: summarise with a request of your own");
	const given = yield* parseItems(messageSchema, body.messages, "messages");
	const warnings = new Warnings();
	warnOfFields(body, MESSAGES_WITHOUT_EFFECT, warnings);
	const { system, messages } = yield* decodeMessages(body.system, given, warnings);
	const repaired = yield* repairMessages(messages, { param: "messages", mayBeEmpty: false }, warnings);
	const turn: TurnRequest = {
		...emptyRequest(body.model),
		...decodeCursorWishes(body),
		...(yield* decodeTools(body, given, warnings)),
		system,
		messages: repaired,
		limits: decodeLimits(body),
		thinking: decodeThinking(body, given, warnings),
		output: decodeOutput(body, warnings),
		metadata: decodeMetadata(body),
		warnings: warnings.lines,
	};
	return { turn, stream: body.stream ?? false };
}

/**
 * With a thread a client sends new messages only, and the conversation would be lost. The error body says so in a way
 * that makes clients send whole histories instead.
 */
function refuseThread({ thread }: MessagesRequestBody): void {
	if (thread === undefined || thread === null) return;
	throw new GatewayError("invalid-request", "The gateway keeps no threads.", {
		param: "thread",
		nextStep: "Send all messages of the conversation, without thread.",
	});
}

function decodeLimits({ max_tokens: max, stop_sequences: stop }: MessagesRequestBody): OutputLimits {
	const limits: OutputLimits = { stop: (stop ?? []).filter((sequence) => sequence !== "").map(wellFormed) };
	return typeof max === "number" ? { ...limits, maxOutputTokens: max } : limits;
}

/** A named effort goes before one that follows from a budget. Thinking that is switched off goes before both. */
function decodeThinking(
	{ thinking, output_config: config }: MessagesRequestBody,
	messages: readonly MessagesMessage[],
	warnings: Warnings,
): ThinkingWish {
	// Only what is left out of the reply would be different.
	if ((thinking?.display ?? "summarized") !== "summarized") warnings.add("thinking.display has no effect");
	if (config?.task_budget) warnings.add("output_config.task_budget has no effect");
	if (thinking?.type === "disabled") return { effort: "none" };
	const ofThisTurn = effortOfThisTurn(messages);
	if (ofThisTurn) return decodeEffort(ofThisTurn, "messages: output_config.effort", warnings);
	if (config?.effort) return decodeEffort(config.effort, "output_config.effort", warnings);
	return effortOfBudget(thinking?.type === "enabled" ? thinking.budget_tokens : undefined);
}

/** A system message may set the effort for the turn that it stands in, which began with the user's last words. */
function effortOfThisTurn(messages: readonly MessagesMessage[]): string | undefined {
	for (const { role, content, output_config: config } of messages.toReversed()) {
		if (role === "system" && config?.effort) return config.effort;
		if (role === "user" && toBlocks(content).some(({ type }) => type !== "tool_result")) return undefined;
	}
	return undefined;
}

function decodeOutput(body: MessagesRequestBody, warnings: Warnings): OutputFormat {
	const format = body.output_config?.format ?? body.output_format;
	if (!format) return { kind: "text" };
	if (format.type !== "json_schema") {
		warnings.add("output_config.format: this type is not known; the reply is text");
		return { kind: "text" };
	}
	const schemaParam = body.output_config?.format ? "output_config.format.schema" : "output_format.schema";
	if (!format.schema) throw invalid(schemaParam, "is required and must be an object");
	return { kind: "json-schema", name: "response", schema: format.schema, strict: true, schemaParam };
}

function decodeMetadata({ metadata }: MessagesRequestBody): TurnRequest["metadata"] {
	return metadata?.user_id ? { user: metadata.user_id } : {};
}
