import type { TurnEvent } from "../turn/event.ts";
import type { TurnListener } from "../turn/listener.ts";
import { type TurnRequest, textOf } from "../turn/request.ts";
import type { WebSearch } from "../turn/web-search.ts";

/** What the model is told where a client counts on a search that there is none of. */
const NO_WEB_SEARCH =
	"A web search was asked for, but there is none here. Say so, and do not present anything as the result of a search.";

/** What the client is told. */
export const SEARCH_IS_OFF = "web search is off (setting webSearch): the model searches nothing";

/** Longer questions say no more about a search. */
const LONGEST_QUERY = 1_000;

/** Whether a request counts on a search: it was chosen, and this is the beginning of a turn. */
export const countsOnSearch = ({ webSearch, messages }: TurnRequest): boolean =>
	webSearch?.isDemanded === true && messages.at(-1)?.role === "user";

/** The request with a word about the search that does not take place. */
export const withoutSearch = (request: TurnRequest): TurnRequest => ({
	...request,
	system: [...request.system, NO_WEB_SEARCH],
});

/** The search that failed, for the question that was asked. */
export function refusedSearch({ messages }: TurnRequest, id: string): WebSearch {
	const last = messages.at(-1);
	const query = last?.role === "user" ? textOf(last.content).slice(0, LONGEST_QUERY) : "";
	return { id, query, results: [], error: "unavailable" };
}

/** Tells of the search that failed at the beginning of a reply. */
export function tellingOfSearch(search: WebSearch, target: TurnListener): TurnListener {
	let isTold = false;
	return {
		events(batch) {
			if (isTold) return target.events(batch);
			isTold = true;
			const [start, ...rest] = batch as [TurnEvent, ...TurnEvent[]];
			target.events([start, { type: "web-search", search }, ...rest]);
		},
		failed: (error) => target.failed(error),
	};
}
