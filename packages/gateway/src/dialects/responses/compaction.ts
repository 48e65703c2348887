import type { StreamText } from "../../text/stream-text.ts";
import { TextBuffer } from "../../text/text-buffer.ts";
import type { CollectedTurn } from "../../turn/collect.ts";
import { GatewayError } from "../../turn/error.ts";
import type { EndReason, TurnEvent } from "../../turn/event.ts";
import type { StreamEncoder } from "../dialect.ts";
import { endOf } from "../shared/turn-end.ts";

// A conversation that has become too long is replaced by a summary of it, which the model writes. The client gets the
// summary sealed and sends it back in place of what it sums up.

/** What the model is told in place of the item that asks for a compaction. */
export const SUMMARY_REQUEST = `The conversation is about to be replaced by a summary, because it has become too long. Write that summary now, for yourself: whoever goes on with this work will know nothing but the summary and the latest messages of the user.

Include everything that is needed to go on without asking again or doing work twice:
- what the user wants, with every requirement, preference, name, word and number that the user gave
- what has been done so far, and with which results: files that were read or changed (with their paths), commands that matter, decisions and the reasons for them
- what was found out, and what was tried in vain
- what is not finished, and what comes next

Write plain text and nothing else. Call no tools, ask nothing, and leave nothing out that may still matter.`;

/** How the model is shown a summary in a later turn. */
export function summaryText(summary: string): string {
	return `The conversation up to this point has been replaced by this summary of it. Go on from there; what it describes as done is done.\n\n<summary>\n${summary}\n</summary>`;
}

/** A reply that is a summary, as one text and nothing else. */
export function summaryTurn(turn: CollectedTurn): CollectedTurn {
	const texts = turn.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
	const text = requireSummary(texts.join("\n\n"), endOf(turn).reason);
	return { ...turn, content: [{ type: "text", text }], end: { reason: "stop" } };
}

/** A reply without a summary must not become a compaction, because the conversation would be lost. */
function requireSummary(text: string, reason: EndReason): string {
	if (reason === "refusal" || reason === "filtered") {
		throw new GatewayError("content-filtered", "The model refused to sum up the conversation.");
	}
	if (text.trim() === "") {
		throw new GatewayError("upstream-empty", "The model wrote no summary of the conversation.", {
			nextStep: "Try again, or compact with another model.",
		});
	}
	return text;
}

/** Passes a summary on as one text when it is complete. Clients know nothing that they could show of it before. */
export class SummaryEncoder implements StreamEncoder {
	readonly #inner: StreamEncoder;
	readonly #text = new TextBuffer();

	constructor(inner: StreamEncoder) {
		this.#inner = inner;
	}

	encode(batch: readonly TurnEvent[]): StreamText {
		const passed = batch.flatMap((event) => this.#step(event));
		return passed.length === 0 ? "" : this.#inner.encode(passed);
	}

	encodeError(error: GatewayError): StreamText {
		return this.#inner.encodeError(error);
	}

	failsInside(error: GatewayError): boolean {
		return this.#inner.failsInside?.(error) ?? false;
	}

	#step(event: TurnEvent): TurnEvent[] {
		switch (event.type) {
			case "turn-start":
			case "usage":
				return [event];
			case "text-delta":
				this.#text.add(event.text);
				return [];
			case "text-end":
				this.#text.add("\n\n");
				return [];
			case "turn-end": {
				const text = requireSummary(this.#text.take().trimEnd(), event.reason);
				const block: TurnEvent[] = [{ type: "text-start" }, { type: "text-delta", text }, { type: "text-end" }];
				return [...block, { type: "turn-end", reason: "stop" }];
			}
			default:
				return [];
		}
	}
}
