import { TextBuffer } from "../text/text-buffer.ts";
import type { EndReason, Rung, TurnEvent } from "./event.ts";
import type { TextPart, ThinkingPart, ToolCallPart } from "./request.ts";
import { NO_TOKENS, type TokenUsage } from "./usage.ts";
import type { WebSearch } from "./web-search.ts";

/** A search, and how many parts of the content came before it. */
interface PlacedSearch {
	before: number;
	search: WebSearch;
}

/** A whole reply, put together from its events. */
export interface CollectedTurn {
	runId: string;
	model: string;
	path: Rung;
	content: (TextPart | ThinkingPart | ToolCallPart)[];
	/** Searches of the web that took place meanwhile. */
	searches?: PlacedSearch[];
	usage: TokenUsage;
	end: { reason: EndReason; stopSequence?: string } | undefined;
}

/** Collects the events of a turn into one reply, for responses that are not streamed. */
export class TurnCollector {
	readonly turn: CollectedTurn = { runId: "", model: "", path: "new", content: [], usage: NO_TOKENS, end: undefined };
	readonly #text = new TextBuffer();
	/** Characters of text, thinking and pieces of arguments so far. */
	characters = 0;

	add(event: TurnEvent): void {
		switch (event.type) {
			case "text-delta":
			case "thinking-delta":
				this.characters += event.text.length;
				this.#text.add(event.text);
				return;
			case "turn-start":
				this.turn.runId = event.runId;
				this.turn.model = event.model;
				this.turn.path = event.path;
				return;
			case "tool-input-delta":
				this.characters += event.text.length;
				return;
			case "text-end":
				this.turn.content.push({ type: "text", text: this.#text.take() });
				return;
			case "thinking-end":
				this.turn.content.push({
					type: "thinking",
					text: this.#text.take(),
					...(event.signature && { signature: event.signature }),
				});
				return;
			case "tool-call":
				this.turn.content.push({ type: "tool-call", id: event.id, name: event.name, arguments: event.arguments });
				return;
			case "web-search":
				this.turn.searches ??= [];
				this.turn.searches.push({ before: this.turn.content.length, search: event.search });
				return;
			case "usage":
				this.turn.usage = event.usage;
				return;
			case "turn-end":
				this.turn.end = { reason: event.reason, ...(event.stopSequence && { stopSequence: event.stopSequence }) };
				return;
			default:
				return;
		}
	}
}
