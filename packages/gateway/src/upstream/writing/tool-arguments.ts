import { hasMoreValues, isTooDeep } from "../../text/json-depth.ts";
import type { Sliced } from "../../time/slices.ts";

/** The property under which the text of a freeform tool travels: Cursor knows tools with JSON arguments only. */
export const FREEFORM_INPUT = "input";

/** Each value becomes a message of its own, which takes microseconds. Real calls have a few dozen. */
export const MOST_ARGUMENT_VALUES = 10_000;

/**
 * Arguments as Cursor's history wants them: an object. Text that is none, is too deep, has too many values, or has a
 * member that a map of the protobuf library cannot hold, goes in as it is, under one name.
 */
export function* argumentsObject(text: string): Sliced<Record<string, unknown>> {
	try {
		if (yield* hasMoreValues(text, MOST_ARGUMENT_VALUES)) return { [FREEFORM_INPUT]: text };
		const value: unknown = JSON.parse(text);
		yield;
		const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
		const isExpressible = isObject && !isTooDeep(value) && !Object.hasOwn(value, "__proto__");
		if (isExpressible) return value as Record<string, unknown>;
	} catch {
		// Free text.
	}
	return text === "" ? {} : { [FREEFORM_INPUT]: text };
}

/** Arguments where they travel as JSON text: an object as it was written, anything else under one name. */
export function argumentsText(text: string): string {
	if (isObjectText(text)) return text;
	return JSON.stringify(text === "" ? {} : { [FREEFORM_INPUT]: text });
}

function isObjectText(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}
