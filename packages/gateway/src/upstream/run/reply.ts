import { TurnCollector } from "../../turn/collect.ts";
import type { GatewayError } from "../../turn/error.ts";
import type { Rung, TurnEvent } from "../../turn/event.ts";
import type { TurnListener } from "../../turn/listener.ts";
import type { AssistantMessage } from "../../turn/request.ts";

/** What `turn-start` says: how the request reached Cursor, and which model replies. */
export interface ReplyStart {
	runId: string;
	model: string;
	path: Rung;
}

/**
 * A reply of more characters is not remembered. It then has no checkpoint, and the next request is rebuilt from the
 * history that the client sends: a shortcut must not cost the memory of the longest reply.
 */
export const MOST_REMEMBERED = 4 << 20;

/** One reply on its way to its listener. It opens with `turn-start`, and what it says is remembered. */
export class Reply {
	readonly #listener: TurnListener;
	readonly #start: ReplyStart;
	#collector: TurnCollector | undefined = new TurnCollector();
	#characters = 0;
	#hasBegun = false;

	constructor(listener: TurnListener, start: ReplyStart) {
		this.#listener = listener;
		this.#start = start;
	}

	/** Something was said. A heartbeat says nothing. */
	get hasBegun(): boolean {
		return this.#hasBegun;
	}

	/** The whole reply; undefined where it is not complete, ends in tool calls or was too long to remember. */
	get message(): AssistantMessage | undefined {
		const turn = this.#collector?.turn;
		if (!turn?.end || turn.end.reason === "tool-calls") return undefined;
		return { role: "assistant", content: turn.content };
	}

	events(batch: readonly TurnEvent[]): void {
		this.#remember(batch);
		this.#listener.events(this.#hasBegun ? batch : this.#withStart(batch));
	}

	failed(error: GatewayError): void {
		this.#listener.failed(error);
	}

	#remember(batch: readonly TurnEvent[]): void {
		for (const event of batch) {
			this.#collector?.add(event);
			if ("text" in event) this.#characters += event.text.length;
		}
		if (this.#characters > MOST_REMEMBERED) this.#collector = undefined;
	}

	#withStart(batch: readonly TurnEvent[]): readonly TurnEvent[] {
		if (batch.every(({ type }) => type === "activity")) return batch;
		this.#hasBegun = true;
		return [{ type: "turn-start", ...this.#start }, ...batch.filter(({ type }) => type !== "activity")];
	}
}
