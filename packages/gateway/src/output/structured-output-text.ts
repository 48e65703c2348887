const FENCE = "```";

/**
 * The texts that may be the JSON of an answer: all that was said, the last thing that was said, and what stands in a code
 * fence. Models put words around JSON however they are asked.
 */
export function jsonCandidates(blocks: readonly string[]): string[] {
	const all = blocks.join("").trim();
	const candidates = [all, blocks.at(-1)?.trim() ?? "", insideFence(all)];
	return [...new Set(candidates)].filter((candidate) => candidate !== "");
}

/** From the first fence to the last: fences in between stand inside a JSON string. */
function insideFence(text: string): string {
	const open = text.indexOf(FENCE) + FENCE.length;
	const close = text.lastIndexOf(FENCE);
	if (open < FENCE.length || close < open) return "";
	return text
		.slice(open, close)
		.replace(/^[A-Za-z]*/, "")
		.trim();
}

/** Undefined where it is no JSON; JSON itself has no such value. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
