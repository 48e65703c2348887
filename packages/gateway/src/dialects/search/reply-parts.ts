import type { CollectedTurn } from "../../turn/collect.ts";
import type { WebSearch, WebSearchResult } from "../../turn/web-search.ts";

export type ReplyPart = CollectedTurn["content"][number] | { type: "web-search"; search: WebSearch };

/** What was said and searched, in order. */
export function replyParts({ content, searches = [] }: CollectedTurn): ReplyPart[] {
	const at = (index: number) => searches.filter(({ before }) => before === index);
	const asPart = ({ search }: { search: WebSearch }): ReplyPart => ({ type: "web-search", search });
	return [...content.flatMap((part, index) => [...at(index).map(asPart), part]), ...at(content.length).map(asPart)];
}

/** Everything that the searches of a reply have found. */
export const foundIn = ({ searches = [] }: CollectedTurn): WebSearchResult[] =>
	searches.flatMap(({ search }) => search.results);
