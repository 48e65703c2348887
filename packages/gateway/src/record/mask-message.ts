import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { maskText } from "./mask-text.ts";

/** Fields that connect messages with each other. They are ids and names, and reveal nothing of a conversation. */
const IDENTITY = /(?:^id|Id|Ids|^uuid|Uuid|^toolName|^modelName|^providerIdentifier|^encoding)$/;
/** Messages whose `name` is the name of a tool or a model, not of a file or a person. */
const NAMED = /(?:Mcp|Tool|Model)/;

/** Masks all texts in a message, which is in its JSON form. */
export function maskMessage(message: DescMessage, json: JsonObject): JsonObject {
	// Schemas and arguments are JSON inside the message. Their keys are names of parameters and stay.
	if (message.typeName.startsWith("google.protobuf.")) return maskValues(json) as JsonObject;
	const fields = new Map(message.fields.map((field) => [field.jsonName, field]));
	return Object.fromEntries(
		Object.entries(json).map(([name, value]) => {
			const field = fields.get(name);
			return [name, field && value !== undefined ? maskField(message, field, value) : maskValues(value as JsonValue)];
		}),
	);
}

function maskField(message: DescMessage, field: DescField, value: JsonValue): JsonValue {
	if (IDENTITY.test(field.localName) || (field.localName === "name" && NAMED.test(message.typeName))) return value;
	if (Array.isArray(value) && field.fieldKind === "list") return value.map((item) => maskOne(field, item));
	if (field.fieldKind === "map") {
		const entries = Object.entries(value as JsonObject);
		const keyOf = isParameters(field) ? (key: string) => key : distinctKeys();
		return Object.fromEntries(entries.map(([key, item]) => [keyOf(key), maskOne(field, item!)]));
	}
	return maskOne(field, value);
}

/** Whether the keys of a map are names of parameters. They stay, because a call would not make sense without them. */
const isParameters = (field: DescField) => field.message?.typeName === "google.protobuf.Value";

/** Masks other keys, which may be paths and names. Two keys that look the same when masked stay distinct. */
function distinctKeys(): (key: string) => string {
	const used = new Set<string>();
	return (key) => {
		let masked = maskText(key);
		while (used.has(masked)) masked += "~";
		used.add(masked);
		return masked;
	};
}

function maskOne(field: DescField, value: JsonValue): JsonValue {
	if (field.message) {
		const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
		return isObject ? maskMessage(field.message, value) : maskValues(value);
	}
	if (typeof value !== "string" || field.enum) return value;
	return isBytes(field) ? maskBytes(value) : isText(field) ? maskText(value) : value;
}

const BYTES = 12;
const STRING = 9;
const isBytes = (field: DescField) => "scalar" in field && field.scalar === BYTES;
const isText = (field: DescField) => "scalar" in field && field.scalar === STRING;

/** Masks bytes in base64: text as text, anything else as zeros of the same length. */
function maskBytes(base64: string): string {
	const bytes = Buffer.from(base64, "base64");
	const text = bytes.toString("utf8");
	const masked =
		text.includes("\ufffd") || text.includes("\0") ? Buffer.alloc(bytes.length) : Buffer.from(maskText(text));
	return masked.toString("base64");
}

function maskValues(value: JsonValue): JsonValue {
	if (typeof value === "string") return maskText(value);
	if (typeof value === "number") return 1;
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map(maskValues);
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValues(item as JsonValue)]));
}
