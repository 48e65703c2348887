import { TextBuffer } from "../../text/text-buffer.ts";
import type { WebSearchResult } from "../../turn/web-search.ts";
import { type UrlCitation, urlCitations } from "./url-citations.ts";

/** A citation in a message of Chat Completions. */
export interface ChatAnnotation {
	type: "url_citation";
	url_citation: UrlCitation;
}

export function chatAnnotations(text: string, results: readonly WebSearchResult[]): ChatAnnotation[] {
	return urlCitations(text, results).map((citation) => ({ type: "url_citation", url_citation: citation }));
}

/** The text of a stream from its first search on, with what the searches found. */
export class CitedStream {
	readonly #results: WebSearchResult[] = [];
	readonly #text = new TextBuffer();
	/** How much was said before. */
	readonly #before: number;

	constructor(before: number) {
		this.#before = before;
	}

	found(results: readonly WebSearchResult[]): void {
		this.#results.push(...results);
	}

	said(text: string): void {
		this.#text.add(text);
	}

	annotations(): ChatAnnotation[] {
		if (this.#results.length === 0) return [];
		const annotations = chatAnnotations(this.#text.toString(), this.#results);
		for (const { url_citation: citation } of annotations) {
			citation.start_index += this.#before;
			citation.end_index += this.#before;
		}
		return annotations;
	}
}
