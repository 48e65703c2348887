/**
 * Hides what a text says. Letters become x and digits 1, so lengths, line breaks and the structure of JSON stay.
 * Literals, escapes and exponents stay too, because JSON would be invalid without them.
 */
export function maskText(text: string): string {
	return text.replace(/\\(?:u[0-9a-fA-F]{4}|.)|\b(?:true|false|null)\b|\d[eE][+-]?\d|\p{L}|\p{N}/gsu, (found) => {
		if (found.startsWith("\\u")) return "\\u0078";
		if (found.length > 2 || found.startsWith("\\")) return found;
		return /\p{L}/u.test(found) ? "x" : "1";
	});
}
