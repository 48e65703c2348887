// A search of the web, which Cursor runs on its own servers. Here its results are made up, the same for the same words.
import { createHash } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
	type InteractionResponse,
	type ToolCall,
	ToolCallSchema,
	type WebSearchArgsSchema,
} from "@cursorwire/protocol/agent";
import type { SearchOutcome } from "../../brains/brain.ts";

const PAGES = 3;

/** For display: without an outcome while the search is under way. */
export function searchCall(args: MessageInitShape<typeof WebSearchArgsSchema>, outcome?: SearchOutcome): ToolCall {
	const result = outcome && { result: resultOf(outcome) };
	return create(ToolCallSchema, {
		tool: { case: "webSearchToolCall", value: { args, ...(result && { result }) } },
		...(args.toolCallId && { toolCallId: args.toolCallId }),
	});
}

function resultOf({ pages, rejected }: SearchOutcome) {
	if (pages) return { case: "success" as const, value: { references: pages } };
	return { case: "rejected" as const, value: { reason: rejected } };
}

/** What follows from the client's answer. */
export function outcomeOf(term: string, { case: kind, value }: InteractionResponse["result"]): SearchOutcome {
	const answer = kind === "webSearchRequestResponse" ? value.result : undefined;
	if (answer?.case === "approved") return { pages: pagesFor(term) };
	return { rejected: answer?.case === "rejected" ? answer.value.reason : "The client did not answer." };
}

function pagesFor(term: string) {
	const name = createHash("sha256").update(term).digest("hex").slice(0, 8);
	return Array.from({ length: PAGES }, (_, index) => ({
		title: `Page ${index + 1} about ${term}`,
		url: `https://example.com/${name}/${index + 1}`,
		chunk: `What page ${index + 1} says about ${term}.`,
	}));
}

/** As the model reads it. */
export function searchText({ pages, rejected }: SearchOutcome): string {
	if (!pages) return `error: ${rejected}`;
	return pages.map(({ title, url, chunk }) => `${title}\n${url}\n${chunk}`).join("\n\n");
}
