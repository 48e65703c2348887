/** A client that wants the web to be searched by the one that serves its model. */
export interface WebSearchWish {
	/** The client chose it, or offers nothing else: it counts on a search. */
	isDemanded: boolean;
	/** At most so many searches in a run. */
	maxUses?: number;
}

export interface WebSearchResult {
	url: string;
	title: string;
	/** What the model read of the page. */
	text: string;
}

/** Why a search brought nothing: there is none here, the client wanted no more of them, or it failed. */
export type WebSearchError = "unavailable" | "too-many" | "failed";

/** A search of the web that took place while the model replied. */
export interface WebSearch {
	id: string;
	query: string;
	results: readonly WebSearchResult[];
	/** There are no results then. */
	error?: WebSearchError;
}
