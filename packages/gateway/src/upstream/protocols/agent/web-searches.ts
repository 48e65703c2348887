import type { InteractionQuery, ToolCall } from "@cursorwire/protocol/agent";
import type { TurnEvent } from "../../../turn/event.ts";
import type { WebSearch, WebSearchError, WebSearchResult, WebSearchWish } from "../../../turn/web-search.ts";
import { defaultQueryAnswer } from "../../bridge/query-answers.ts";

export interface WebSearchParts {
	/** What the client wants of it; undefined: it knows nothing of searches. */
	wish: WebSearchWish | undefined;
	/** Whether Cursor may search. */
	isApproved: boolean;
	newId(): string;
}

type Query = Pick<InteractionQuery, "query">;
type SearchCall = Extract<ToolCall["tool"], { case: "webSearchToolCall" }>["value"];

/** Cursor's own search of the web: the answers to its questions whether it may, and what the client is told of it. */
export class WebSearches {
	readonly #parts: WebSearchParts;
	#approved = 0;
	#ended: TurnEvent[] = [];

	constructor(parts: WebSearchParts) {
		this.#parts = parts;
	}

	/** The answer to a query of any kind. */
	answer(query: Query): ReturnType<typeof defaultQueryAnswer> {
		const approveSearch = query.query.case === "webSearchRequestQuery" && this.#mayGoOn;
		if (approveSearch) this.#approved++;
		return defaultQueryAnswer(query, { approveSearch });
	}

	/** A search is over, in whatever way. */
	completed({ args, result }: SearchCall): void {
		const { wish, newId } = this.#parts;
		if (!wish) return;
		const outcome = result?.result;
		const results = outcome?.case === "success" ? outcome.value.references.map(resultOf) : [];
		const search: WebSearch = { id: newId(), query: args?.searchTerm ?? "", results };
		const error = outcome?.case === "success" ? undefined : this.#errorOf(outcome?.case);
		this.#ended.push({ type: "web-search", search: error ? { ...search, error } : search });
	}

	/** What the client has not been told yet. */
	take(): readonly TurnEvent[] {
		if (this.#ended.length === 0) return this.#ended;
		const ended = this.#ended;
		this.#ended = [];
		return ended;
	}

	get #mayGoOn(): boolean {
		const { isApproved, wish } = this.#parts;
		return isApproved && wish !== undefined && this.#approved < (wish.maxUses ?? Number.POSITIVE_INFINITY);
	}

	#errorOf(outcome: "rejected" | "error" | undefined): WebSearchError {
		if (outcome !== "rejected") return "failed";
		return this.#parts.isApproved ? "too-many" : "unavailable";
	}
}

const resultOf = ({ url, title, chunk }: { url: string; title: string; chunk: string }): WebSearchResult => ({
	url,
	title,
	text: chunk,
});
