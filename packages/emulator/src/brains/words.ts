/** Cuts a text as a model streams it: one word with its white space at a time. */
export function* inWords(text: string): Generator<{ text: string }> {
	for (const [piece] of text.matchAll(/\S*\s*/g)) if (piece) yield { text: piece };
}
