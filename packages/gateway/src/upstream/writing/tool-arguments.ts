import { hasMoreValues, isTooDeep } from "../../text/json-depth.ts";
import type { Sliced } from "../../time/slices.ts";

/** The property that carries the text of a freeform tool, since Cursor only knows tools with JSON arguments. */
export const FREEFORM_INPUT = "input";

/** Every value becomes a separate message, which takes microseconds. Real calls have a few dozen values. */
export const MOST_ARGUMENT_VALUES = 10_000;

/**
 * Arguments as an object, the form that Cursor's history requires. Text that is not an object, is nested too deeply,
 * has too many values, or has a member that a map of the protobuf library cannot hold is passed unchanged as a single
 * property.
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

/** Arguments for protocols that send JSON text: an object as it was written, anything else as a single property. */
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
