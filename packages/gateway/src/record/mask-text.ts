/**
 * A text without what it says: letters become x and digits 1, so that lengths, line breaks and the structure of JSON
 * stay. What JSON would not survive stays as well: its literals, escapes, and exponents.
 */
export function maskText(text: string): string {
	return text.replace(/\\(?:u[0-9a-fA-F]{4}|.)|\b(?:true|false|null)\b|\d[eE][+-]?\d|\p{L}|\p{N}/gsu, (found) => {
		if (found.startsWith("\\u")) return "\\u0078";
		if (found.length > 2 || found.startsWith("\\")) return found;
		return /\p{L}/u.test(found) ? "x" : "1";
	});
}
