import type { Sliced } from "../time/slices.ts";

/**
 * Levels of JSON that a tool's schema and the arguments of a call can have. Cursor takes both as protobuf values, which
 * are two messages a level, and readers of protobuf stop at a hundred.
 */
export const DEEPEST_JSON = 45;

export function isTooDeep(value: unknown, levels = DEEPEST_JSON): boolean {
	if (typeof value !== "object" || value === null) return false;
	if (levels === 0) return true;
	for (const inner of Object.values(value)) if (isTooDeep(inner, levels - 1)) return true;
	return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Characters between two looks at the clock. */
const STRIDE = 1 << 17;

/** Whether a JSON text holds more values than so many, by its commas: without parsing it, which takes far longer. */
export function* hasMoreValues(text: string, values: number): Sliced<boolean> {
	let commas = 0;
	let isText = false;
	for (let index = 0; index < text.length; yield) {
		for (const end = Math.min(index + STRIDE, text.length); index < end; index++) {
			const code = text.charCodeAt(index);
			if (code === QUOTE) isText = !isText;
			else if (isText && code === BACKSLASH) index++;
			else if (!isText && code === COMMA && ++commas >= values) return true;
		}
	}
	return false;
}
