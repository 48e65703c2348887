const FENCE = "```";

/**
 * The texts that may be the JSON of a reply: the whole reply, its last block, and the content of a code fence. Models
 * often put words around JSON even when they are asked not to.
 */
export function jsonCandidates(blocks: readonly string[]): string[] {
	const all = blocks.join("").trim();
	const candidates = [all, blocks.at(-1)?.trim() ?? "", insideFence(all)];
	return [...new Set(candidates)].filter((candidate) => candidate !== "");
}

/** The text from the first fence to the last. Fences in between are part of a JSON string. */
function insideFence(text: string): string {
	const open = text.indexOf(FENCE) + FENCE.length;
	const close = text.lastIndexOf(FENCE);
	if (open < FENCE.length || close < open) return "";
	return text
		.slice(open, close)
		.replace(/^[A-Za-z]*/, "")
		.trim();
}

/** Returns undefined if the text is not JSON. JSON itself has no such value. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
