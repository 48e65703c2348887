import type { CollectedTurn } from "../../turn/collect.ts";
import type { WebSearchResult } from "../../turn/web-search.ts";
import { checkJsonLimits } from "../json/json-limits.ts";
import {
	type SearchCitation,
	type SearchResultBlock,
	type ServerToolUse,
	searchCitations,
	searchResult,
	searchUse,
} from "../search/message-blocks.ts";
import { foundIn, type ReplyPart, replyParts } from "../search/reply-parts.ts";
import { endOf } from "../shared/turn-end.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { type MessageEnd, type MessageUsage, toMessageEnd, toMessageUsage } from "./finish.ts";
import { OWN_SIGNATURE } from "./signature.ts";

export interface Message extends MessageEnd {
	id: string;
	type: "message";
	role: "assistant";
	model: string;
	content: ReplyBlock[];
	usage: MessageUsage;
}

export type ReplyBlock =
	| { type: "text"; text: string; citations?: SearchCitation[] }
	| ServerToolUse
	| SearchResultBlock
	| { type: "thinking"; thinking: string; signature: string }
	| { type: "tool_use"; id: string; name: string; input: Record<string, unknown>; caller: { type: "direct" } };

export interface MessageOptions {
	id: string;
}

/** A whole reply. */
export function encodeMessage(turn: CollectedTurn, { id }: MessageOptions): Message {
	const found = foundIn(turn);
	const searches = turn.searches?.filter(({ search }) => !search.error) ?? [];
	return {
		id,
		type: "message",
		role: "assistant",
		model: wellFormed(turn.model),
		content: replyParts(turn).flatMap((part) => encodePart(part, found)),
		...toMessageEnd(endOf(turn)),
		usage: toMessageUsage(turn.usage, searches.length),
	};
}

/** Empty blocks are left out, because the API refuses them when they come back. */
function encodePart(part: ReplyPart, found: readonly WebSearchResult[]): ReplyBlock[] {
	switch (part.type) {
		case "text":
			return part.text === "" ? [] : [encodeText(part.text, found)];
		case "web-search":
			return [searchUse(part.search), searchResult(part.search)];
		case "thinking": {
			if (part.text === "" && !part.signature) return [];
			const signature = wellFormed(part.signature || OWN_SIGNATURE);
			return [{ type: "thinking", thinking: wellFormed(part.text), signature }];
		}
		case "tool-call":
			return [
				{
					type: "tool_use",
					id: part.id,
					name: part.name,
					input: toInput(wellFormed(part.arguments)),
					// The model itself, as opposed to code that the API executes.
					caller: { type: "direct" },
				},
			];
	}
}

function encodeText(text: string, found: readonly WebSearchResult[]): ReplyBlock {
	const citations = searchCitations(text, found);
	return { type: "text", text: wellFormed(text), ...(citations.length > 0 && { citations }) };
}

/** The input of a call must be an object. Anything else that a model wrote is put into one, as the API does it. */
function toInput(text: string): Record<string, unknown> {
	if (text.trim() === "") return {};
	try {
		checkJsonLimits(Buffer.from(text));
		const value: unknown = JSON.parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	} catch {
		// It is not JSON, or it is nested too deeply for clients to read.
	}
	return { INVALID_JSON: text };
}
