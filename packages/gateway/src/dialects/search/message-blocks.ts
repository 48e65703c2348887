import type { WebSearch, WebSearchError, WebSearchResult } from "../../turn/web-search.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { citationsIn } from "./citations.ts";

// A search in the form of the Messages API: two blocks, and citations in the text.

const DIRECT = { type: "direct" } as const;

const ERROR_CODES: Readonly<Record<WebSearchError, string>> = {
	unavailable: "unavailable",
	"too-many": "max_uses_exceeded",
	failed: "unavailable",
};

export interface ServerToolUse {
	type: "server_tool_use";
	id: string;
	name: "web_search";
	input: { query?: string };
	caller: typeof DIRECT;
}

interface SearchResult {
	type: "web_search_result";
	url: string;
	title: string;
	encrypted_content: string;
	page_age: null;
}

export interface SearchResultBlock {
	type: "web_search_tool_result";
	tool_use_id: string;
	caller: typeof DIRECT;
	content: SearchResult[] | { type: "web_search_tool_result_error"; error_code: string };
}

export interface SearchCitation {
	type: "web_search_result_location";
	url: string;
	title: string;
	cited_text: string;
	encrypted_index: string;
}

export function searchUse({ id, query }: WebSearch): ServerToolUse {
	return {
		type: "server_tool_use",
		id: useId(id),
		name: "web_search",
		input: { query: wellFormed(query) },
		caller: DIRECT,
	};
}

export function searchResult({ id, results, error }: WebSearch): SearchResultBlock {
	return {
		type: "web_search_tool_result",
		tool_use_id: useId(id),
		caller: DIRECT,
		content: error
			? { type: "web_search_tool_result_error", error_code: ERROR_CODES[error] }
			: results.map(({ url, title, text }) => ({
					type: "web_search_result",
					url: wellFormed(url),
					title: wellFormed(title),
					encrypted_content: opaque(text),
					page_age: null,
				})),
	};
}

/** The API's own are about as long. */
const CITED_LENGTH = 150;

export function searchCitations(text: string, results: readonly WebSearchResult[]): SearchCitation[] {
	return citationsIn(text, results).map(({ result }) => ({
		type: "web_search_result_location",
		url: wellFormed(result.url),
		title: wellFormed(result.title),
		cited_text: wellFormed(result.text.slice(0, CITED_LENGTH)),
		encrypted_index: opaque(result.url),
	}));
}

const useId = (id: string) => `srvtoolu_${id}`;

/** Clients pass it back and never look into it. */
const opaque = (text: string) => Buffer.from(text).toString("base64url");
