import type { WebSearchResult } from "../../turn/web-search.ts";

/** A place in a reply that names a page which a search had found. */
export interface Citation {
	result: WebSearchResult;
	start: number;
	end: number;
}

/** More would only be noise. */
const MOST = 50;

/**
 * Cursor does not say which words of a reply come from which page. What is certain is where the reply names a page by
 * its address, so that is what is cited.
 */
export function citationsIn(text: string, results: readonly WebSearchResult[]): Citation[] {
	const found: Citation[] = [];
	for (const result of byUrl(results)) {
		for (let start = text.indexOf(result.url); start >= 0; start = text.indexOf(result.url, start + 1)) {
			const end = start + result.url.length;
			const isInAnother = found.some((other) => other.start <= start && end <= other.end);
			if (!isInAnother && found.length < MOST) found.push({ result, start, end });
		}
	}
	return found.sort((one, other) => one.start - other.start);
}

/** Each page once, and the longest addresses first, because one may be the beginning of another. */
function byUrl(results: readonly WebSearchResult[]): WebSearchResult[] {
	const pages = new Map(results.filter(({ url }) => url !== "").map((result) => [result.url, result]));
	return [...pages.values()].sort((one, other) => other.url.length - one.url.length);
}
