import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { maskText } from "./mask-text.ts";

/** Fields by which messages find each other. They are made by machines and say nothing of a conversation. */
const IDENTITY = /(?:^id|Id|Ids|^uuid|Uuid|^toolName|^modelName|^providerIdentifier|^encoding)$/;
/** Messages whose `name` is that of a tool or a model, and not of a file or a person. */
const NAMED = /(?:Mcp|Tool|Model)/;

/** A message in JSON form without the texts in it. */
export function maskMessage(message: DescMessage, json: JsonObject): JsonObject {
	// JSON within JSON, as schemas and arguments are: its keys are names of parameters.
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

/** Its keys are names of parameters, without which a call would be another one. */
const isParameters = (field: DescField) => field.message?.typeName === "google.protobuf.Value";

/** Other keys may be paths and names. Two that look the same masked are still two. */
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

/** Bytes in base64: a text is masked as one, anything else becomes as many zeros. */
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
