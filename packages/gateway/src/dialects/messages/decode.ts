import { atOnce, type Sliced } from "../../time/slices.ts";
import { GatewayError } from "../../turn/error.ts";
import { repairedHistory } from "../../turn/normalize.ts";
import {
	type Effort,
	emptyRequest,
	type OutputFormat,
	type OutputLimits,
	type ThinkingWish,
	type TurnRequest,
} from "../../turn/request.ts";
import { decodeCursorWishes } from "../shared/cursor-wishes.ts";
import { decodeEffort } from "../shared/effort.ts";
import { parseItems } from "../shared/fields.ts";
import { invalid, parseWith } from "../shared/invalid.ts";
import { Warnings } from "../shared/warnings.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { decodeMessages } from "./decode-messages.ts";
import { decodeTools } from "./decode-tools.ts";
import { type MessagesRequestBody, messageSchema, messagesRequestSchema, type SettingWithoutEffect } from "./schema.ts";

/** A Messages request: the turn, and what only the answer's form depends on. */
export interface MessagesRequest {
	turn: TurnRequest;
	stream: boolean;
}

/** Reads a body that `parseJsonBody` gave. Throws a `GatewayError` where it is not a request. */
export const decodeMessagesRequest = (json: unknown): MessagesRequest => atOnce(messagesRequest(json));

/** The same in slices. */
export function* messagesRequest(json: unknown): Sliced<MessagesRequest> {
	const body = parseWith(messagesRequestSchema, json);
	refuseThread(body);
	const given = yield* parseItems(messageSchema, body.messages, "messages");
	const warnings = new Warnings();
	warnOfSettings(body, warnings);
	const { system, messages } = yield* decodeMessages(body.system, given, warnings);
	const repaired = yield* repairedHistory(messages);
	for (const line of repaired.warnings) warnings.add(line);
	if (repaired.messages.length === 0) throw invalid("messages", "must hold a message that is not empty");
	const turn: TurnRequest = {
		...emptyRequest(body.model),
		...decodeCursorWishes(body),
		...(yield* decodeTools(body, warnings)),
		system,
		messages: repaired.messages,
		limits: decodeLimits(body),
		thinking: decodeThinking(body, warnings),
		output: decodeOutput(body, warnings),
		metadata: body.metadata?.user_id ? { user: body.metadata.user_id } : {},
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

/** Settings that the upstream does not have, with the values that ask for nothing. */
const WITHOUT_EFFECT: Readonly<Record<SettingWithoutEffect, readonly unknown[]>> = {
	temperature: [1],
	top_p: [1],
	top_k: [],
	service_tier: ["auto", "standard_only"],
	context_management: [],
	mcp_servers: [""],
	container: [],
};

function warnOfSettings(body: MessagesRequestBody, warnings: Warnings): void {
	for (const [setting, idle] of Object.entries(WITHOUT_EFFECT)) {
		const value = body[setting as SettingWithoutEffect] ?? undefined;
		const asksForNothing = value === undefined || idle.includes(Array.isArray(value) ? value.join() : value);
		if (!asksForNothing) warnings.add(`${setting} has no effect`);
	}
}

function decodeLimits({ max_tokens: max, stop_sequences: stop }: MessagesRequestBody): OutputLimits {
	const limits: OutputLimits = { stop: (stop ?? []).filter((sequence) => sequence !== "").map(wellFormed) };
	return typeof max === "number" ? { ...limits, maxOutputTokens: max } : limits;
}

/** From how many tokens on a budget for thinking asks for an effort. The first that is reached counts. */
const EFFORT_BY_BUDGET: readonly (readonly [minTokens: number, effort: Effort])[] = [
	[16_384, "high"],
	[4096, "medium"],
	[0, "low"],
];

/** An effort that is named counts more than one that follows from a budget; to switch thinking off counts most. */
function decodeThinking({ thinking, output_config: config }: MessagesRequestBody, warnings: Warnings): ThinkingWish {
	if (thinking?.type === "disabled") return { effort: "none" };
	if (config?.effort) {
		const effort = decodeEffort(config.effort, "output_config.effort", warnings);
		return effort ? { effort } : {};
	}
	const budget = thinking?.type === "enabled" ? thinking.budget_tokens : undefined;
	const entry = EFFORT_BY_BUDGET.find(([minTokens]) => typeof budget === "number" && budget >= minTokens);
	return entry ? { effort: entry[1] } : {};
}

function decodeOutput(body: MessagesRequestBody, warnings: Warnings): OutputFormat {
	const format = body.output_config?.format ?? body.output_format;
	if (!format) return { kind: "text" };
	if (format.type !== "json_schema") {
		warnings.add("output_config.format: this type is not known; the answer is text");
		return { kind: "text" };
	}
	const schemaParam = body.output_config?.format ? "output_config.format.schema" : "output_format.schema";
	if (!format.schema) throw invalid(schemaParam, "is required and must be an object");
	return { kind: "json-schema", name: "response", schema: format.schema, strict: true, schemaParam };
}
