import {
	type DescField,
	type DescMessage,
	fromBinary,
	fromJson,
	type JsonObject,
	type JsonValue,
	toBinary,
	toJson,
} from "@bufbuild/protobuf";
import { RpcFailure } from "./failure.ts";

/** The message types of a stream, to translate for clients that send JSON. */
export interface StreamTypes {
	input: DescMessage;
	output: DescMessage;
}

/**
 * Fields that are strings on the wire and bytes in the proto files, because a code point may be split between two
 * messages (docs/adr/0002-streamed-text-is-bytes.md). In JSON they are ordinary strings.
 */
const TEXTS = new Set([
	"agent.v1.ShellStreamStdout.data",
	"agent.v1.ShellStreamStderr.data",
	"agent.v1.ShellToolCallStdoutDelta.content",
	"agent.v1.ShellToolCallStderrDelta.content",
	"agent.v1.EditToolCallDelta.stream_content_delta",
	"agent.v1.PartialToolCallUpdate.args_text_delta",
	"agent.v1.TextDeltaUpdate.text",
	"agent.v1.ThinkingDeltaUpdate.text",
	"agent.v1.ResponseComparisonTextDelta.text",
]);

/** Reads a message in JSON and returns its bytes in protobuf. */
export function jsonToProto(schema: DescMessage, json: Uint8Array): Uint8Array {
	try {
		const value = JSON.parse(Buffer.from(json).toString("utf8") || "{}") as JsonValue;
		const message = fromJson(schema, mapTexts(schema, value, textToBase64), { ignoreUnknownFields: true });
		return toBinary(schema, message);
	} catch (error) {
		throw new RpcFailure("invalid_argument", `cannot read ${schema.typeName}: ${(error as Error).message}`);
	}
}

/** The same message in JSON. */
export function protoToJson(schema: DescMessage, bytes: Uint8Array): Uint8Array {
	const value = toJson(schema, fromBinary(schema, bytes));
	return Buffer.from(JSON.stringify(mapTexts(schema, value, base64ToText)));
}

const textToBase64 = (text: string) => Buffer.from(text, "utf8").toString("base64");
const base64ToText = (text: string) => Buffer.from(text, "base64").toString("utf8");

function mapTexts(schema: DescMessage, value: JsonValue, change: (text: string) => string): JsonValue {
	// Struct, Value and the like have JSON forms of their own, without such fields.
	if (!isObject(value) || schema.typeName.startsWith("google.protobuf.")) return value;
	const fields = new Map(
		schema.fields.flatMap((field) => [[field.jsonName, field] as const, [field.name, field] as const]),
	);
	return Object.fromEntries(
		Object.entries(value).map(([name, part]) => {
			const field = fields.get(name);
			return [name, field ? mapField(schema, field, part, change) : part];
		}),
	);
}

function mapField(schema: DescMessage, field: DescField, part: JsonValue, change: (text: string) => string): JsonValue {
	if (typeof part === "string" && TEXTS.has(`${schema.typeName}.${field.name}`)) return change(part);
	const { message } = field;
	if (!message) return part;
	if (Array.isArray(part)) return part.map((entry) => mapTexts(message, entry, change));
	if (field.fieldKind !== "map" || !isObject(part)) return mapTexts(message, part, change);
	return Object.fromEntries(Object.entries(part).map(([key, entry]) => [key, mapTexts(message, entry, change)]));
}

function isObject(value: JsonValue): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
