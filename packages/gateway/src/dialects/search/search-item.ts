import type { WebSearch } from "../../turn/web-search.ts";
import { wellFormed } from "../shared/well-formed.ts";

/** A search in the form of the Responses API. */
export interface WebSearchCallItem {
	id: string;
	type: "web_search_call";
	status: "in_progress" | "completed" | "failed";
	action: { type: "search"; query: string; queries: string[]; sources?: { type: "url"; url: string }[] };
}

/** `withSources`: the client wants the addresses of all pages, not only of those that the reply names. */
export function searchItem(id: string, { query, results, error }: WebSearch, withSources: boolean): WebSearchCallItem {
	const words = wellFormed(query);
	const sources = results.map(({ url }) => ({ type: "url" as const, url: wellFormed(url) }));
	return {
		id,
		type: "web_search_call",
		status: error ? "failed" : "completed",
		action: { type: "search", query: words, queries: [words], ...(withSources && { sources }) },
	};
}

/** What a stream says of it between `output_item.added` and `output_item.done`. There is no event for a failure. */
export const searchEvents = ({ status }: WebSearchCallItem): string[] =>
	["in_progress", "searching", ...(status === "completed" ? ["completed"] : [])].map(
		(step) => `response.web_search_call.${step}`,
	);
