import { isTooDeep } from "../turn/json-depth.ts";

/** The property under which the text of a freeform tool travels: Cursor knows tools with JSON arguments only. */
export const FREEFORM_INPUT = "input";

/**
 * Arguments as Cursor's history wants them: an object. Text that is none, is too deep, or has a member that a map of the
 * protobuf library cannot hold, goes in as it is, under one name.
 */
export function argumentsObject(text: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(text);
		const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
		if (isObject && !isTooDeep(value) && !Object.hasOwn(value, "__proto__")) return value as Record<string, unknown>;
	} catch {
		// Free text.
	}
	return text === "" ? {} : { [FREEFORM_INPUT]: text };
}
