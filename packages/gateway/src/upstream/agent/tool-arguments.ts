import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { McpArgs } from "@cursorwire/protocol/agent";

/** The property under which the text of a freeform tool travels: Cursor knows tools with JSON arguments only. */
export const FREEFORM_INPUT = "input";

/** Arguments as Cursor's history wants them: an object. Text that is no JSON object goes in as it is, under one name. */
export function argumentsObject(text: string): Record<string, unknown> {
	if (isDeep(text)) return { [FREEFORM_INPUT]: text };
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	} catch {
		// Free text.
	}
	return text === "" ? {} : { [FREEFORM_INPUT]: text };
}

const DEEPEST = 40;
const OPENING = new Set(["{", "["]);
const CLOSING = new Set(["}", "]"]);

/** JSON that is deeper than a protobuf value can be. Brackets within strings count as well: it is no harm to be wrong there. */
export function isDeep(text: string): boolean {
	let depth = 0;
	for (const character of text) {
		if (OPENING.has(character) && ++depth > DEEPEST) return true;
		if (CLOSING.has(character)) depth -= 1;
	}
	return false;
}

/** Arguments of a call in plain JSON. Whole doubles are integers again: JSON has no other form for them. */
export function callArguments(args: McpArgs): Record<string, unknown> {
	return Object.fromEntries(Object.entries(args.args).map(([name, value]) => [name, toJson(ValueSchema, value)]));
}

export function protoValue(json: unknown): Value {
	return fromJson(ValueSchema, json as JsonValue);
}
