/**
 * Where a JSON text is broken, in words that can follow a sentence. What `JSON.parse` says itself may quote the text, and
 * that may be a key or a prompt. Empty if the place is not known.
 */
export function jsonPlace(error: unknown, text: string): string {
	const message = error instanceof SyntaxError ? error.message : "";
	if (/unexpected end|unterminated/i.test(message)) return "it ends too early";
	const position = / at position (\d+)/.exec(message)?.[1];
	if (position === undefined) return "";
	const before = text.slice(0, Number(position)).split("\n");
	return `look at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
