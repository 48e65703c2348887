/**
 * Characters that change how the text around them looks, or that cannot be seen: controls, marks of direction, spaces
 * without width, tags, and halves of pairs.
 */
const HIDDEN =
	/[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;

const SHORT: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** No name needs more, and a table cell has no room for it. */
const LONGEST = 300;

/** A text of a model or a client with everything that hides or rearranges shown as an escape. */
export function visible(text: string): string {
	const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
	return shown.replace(HIDDEN, (character) => SHORT[character] ?? escaped(character));
}

function escaped(character: string): string {
	const code = character.codePointAt(0)!.toString(16);
	return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
