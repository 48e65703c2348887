import { isRecord } from "../match/schema.ts";
import { parseJson } from "./batch.ts";
import { foundNothing } from "./matches.ts";

const NOISE =
	/^\s*(---+)?\s*$|^(Found|Showing|Listed|Total)\b.*(:|\d+ \w+\.?)$|^\s*[([].*\b(results?|files?|truncated|more|limit)\b.*[)\]]\s*$/i;

/** The files that a search by name printed, one per line or as JSON. */
export function listedFiles(text: string): string[] {
	if (foundNothing(text)) return [];
	const parsed = parseJson(text);
	const list = isRecord(parsed) ? Object.values(parsed).find(Array.isArray) : parsed;
	if (Array.isArray(list) && list.every((item) => typeof item === "string")) return list;
	return text
		.split("\n")
		.map((line) => line.replace(/\r$/, ""))
		.filter((line) => !NOISE.test(line))
		.map((line) => line.trim().replace(/^[-*•] /, ""));
}
