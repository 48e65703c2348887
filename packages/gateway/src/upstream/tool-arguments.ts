import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { McpArgs } from "@cursorwire/protocol/agent";
import { hasMoreValues, isTooDeep } from "../turn/json-depth.ts";

/** The property under which the text of a freeform tool travels: Cursor knows tools with JSON arguments only. */
export const FREEFORM_INPUT = "input";

/** Each value becomes a message of its own, which takes microseconds. Real calls have a few dozen. */
export const MOST_ARGUMENT_VALUES = 10_000;

/**
 * Arguments as Cursor's history wants them: an object. Text that is none, too deep, or of too many values, goes in as it
 * is, under one name.
 */
export function argumentsObject(text: string): Record<string, unknown> {
	try {
		if (hasMoreValues(text, MOST_ARGUMENT_VALUES)) return { [FREEFORM_INPUT]: text };
		const value: unknown = JSON.parse(text);
		const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
		if (isObject && !isTooDeep(value)) return value as Record<string, unknown>;
	} catch {
		// Free text.
	}
	return text === "" ? {} : { [FREEFORM_INPUT]: text };
}

/** Arguments of a call in plain JSON. Whole doubles are integers again: JSON has no other form for them. */
export function callArguments(args: McpArgs): Record<string, unknown> {
	return Object.fromEntries(Object.entries(args.args).map(([name, value]) => [name, toJson(ValueSchema, value)]));
}

export function protoValue(json: unknown): Value {
	return fromJson(ValueSchema, json as JsonValue);
}
