import type { Sliced } from "../time/slices.ts";

/**
 * How deeply the JSON of a tool's schema and of a call's arguments may be nested. Cursor takes both as protobuf values,
 * which use two messages per level, and protobuf readers stop at a depth of one hundred.
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

/** Characters to process before yielding. */
const STRIDE = 1 << 17;

/** Whether a JSON text contains more than `values` values. Counts commas, as parsing would take far longer. */
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
