import type { CollectedTurn } from "../../turn/collect.ts";
import type { WebSearch, WebSearchResult } from "../../turn/web-search.ts";

export type ReplyPart = CollectedTurn["content"][number] | { type: "web-search"; search: WebSearch };

/** As much of a reply as its parts are in. */
export type SaidTurn = Pick<CollectedTurn, "content" | "searches">;

/** What was said and searched, in order. */
export function replyParts({ content, searches = [] }: SaidTurn): ReplyPart[] {
	const at = (index: number) => searches.filter(({ before }) => before === index);
	const asPart = ({ search }: { search: WebSearch }): ReplyPart => ({ type: "web-search", search });
	return [...content.flatMap((part, index) => [...at(index).map(asPart), part]), ...at(content.length).map(asPart)];
}

/** Everything that the searches of a reply have found. */
export const foundIn = ({ searches = [] }: SaidTurn): WebSearchResult[] =>
	searches.flatMap(({ search }) => search.results);
