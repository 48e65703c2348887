import type { StreamUnifiedChatResponse } from "@cursorwire/protocol/aiserver";
import type { ObserveTurn } from "../../run/observe.ts";

/** What the messages of the unified protocol reveal about the server. Each fact is reported once. */
export class UnifiedFacts {
	readonly #observe: ObserveTurn;
	#hasThought = false;
	#hasAsked = false;
	#isListed = false;
	#isWindowTold = false;

	constructor(observe: ObserveTurn) {
		this.#observe = observe;
	}

	response(response: StreamUnifiedChatResponse): void {
		if (!this.#hasThought && (response.thinking || response.intermediateText)) {
			this.#hasThought = true;
			this.#observe("chat-thinking", response.thinking ? "thinking" : "intermediate-text");
		}
		if (response.parallelToolCallsComplete && !this.#isListed) {
			this.#isListed = true;
			this.#observe("chat-calls-listed", "sent");
		}
		if (response.contextWindowStatus) this.#isWindowTold = true;
	}

	/** A client's tool is asked for; a call that streams comes in several messages. */
	asked(isStreaming: boolean): void {
		if (this.#hasAsked) return;
		this.#hasAsked = true;
		this.#observe("chat-tool-calls", "asked");
		this.#observe("chat-arguments", isStreaming ? "streamed" : "whole");
	}

	/** A call was shown, and nobody asked for it. */
	shownOnly(): void {
		if (this.#hasAsked) return;
		this.#hasAsked = true;
		this.#observe("chat-tool-calls", "shown-only");
	}

	/** The stream is over, in order. */
	over(): void {
		if (this.#hasAsked && !this.#isListed) this.#observe("chat-calls-listed", "absent");
		this.#observe("chat-usage", this.#isWindowTold ? "told" : "silent");
	}
}
