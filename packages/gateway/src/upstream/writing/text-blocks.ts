import { Utf8Decoder } from "../../text/utf8.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { addDelta } from "./add-delta.ts";

/** Opens and closes text and thinking blocks as deltas arrive, and joins code points that were split between frames. */
export class TextBlocks {
	#open: "text" | "thinking" | undefined;
	#decoder = new Utf8Decoder();
	/** Whether there was any text or thinking since the start of the reply. */
	said = false;

	text(bytes: Uint8Array, events: TurnEvent[], start?: number, end?: number): void {
		if (this.#open !== "text") this.#switchTo("text", events);
		const text = this.#decoder.push(bytes, start, end);
		if (text !== "") addDelta(events, "text-delta", text);
	}

	thinking(bytes: Uint8Array, events: TurnEvent[], start?: number, end?: number): void {
		if (this.#open !== "thinking") this.#switchTo("thinking", events);
		const text = this.#decoder.push(bytes, start, end);
		if (text !== "") addDelta(events, "thinking-delta", text);
	}

	close(events: TurnEvent[]): void {
		if (!this.#open) return;
		const rest = this.#decoder.end();
		if (rest !== "") addDelta(events, `${this.#open}-delta`, rest);
		events.push({ type: `${this.#open}-end` });
		this.#open = undefined;
	}

	#switchTo(block: "text" | "thinking", events: TurnEvent[]): void {
		this.close(events);
		this.#open = block;
		this.#decoder = new Utf8Decoder();
		this.said = true;
		events.push({ type: `${block}-start` });
	}
}
