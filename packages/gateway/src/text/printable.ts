import { maskSecrets } from "./mask-secrets.ts";

// Control characters (a terminal would act on them), line breaks, and marks that change the text direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A text from outside as part of one line: what would break the line or act on a terminal is written as an escape, keys
 * and tokens are masked, and a long text is cut.
 */
export function printable(text: string, most: number): string {
	// Masked before it is cut, so that no half of a key is left.
	const shown = maskSecrets(text.slice(0, most * 4)).replace(UNPRINTABLE, escaped);
	return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown;
}

function escaped(character: string): string {
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
