const MAX_DEPTH = 128;
const MAX_LENGTH = 1 << 18;

/**
 * The same text for equal JSON values: sorted keys, no whitespace. A text that is not JSON, or that is longer or more
 * deeply nested than any real call, is returned unchanged, so that comparing two results works for every input.
 */
export function canonicalJson(text: string): string {
	if (text.length > MAX_LENGTH) return text;
	if (text.trim() === "") return "{}";
	try {
		return write(JSON.parse(text), 0);
	} catch {
		return text;
	}
}

function write(value: unknown, depth: number): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	if (depth === MAX_DEPTH) throw new RangeError("nested too deep");
	if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join()}]`;
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${write(item, depth + 1)}`).join()}}`;
}
