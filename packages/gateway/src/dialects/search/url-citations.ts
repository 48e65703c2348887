import type { WebSearchResult } from "../../turn/web-search.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { citationsIn } from "./citations.ts";

/** A citation in the form of OpenAI's APIs. Indexes count characters of the text. */
export interface UrlCitation {
	url: string;
	title: string;
	start_index: number;
	end_index: number;
}

export function urlCitations(text: string, results: readonly WebSearchResult[]): UrlCitation[] {
	return citationsIn(text, results).map(({ result, start, end }) => ({
		url: wellFormed(result.url),
		title: wellFormed(result.title),
		start_index: start,
		end_index: end,
	}));
}
