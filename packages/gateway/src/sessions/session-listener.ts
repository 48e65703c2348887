import { TurnCollector } from "../turn/collect.ts";
import type { GatewayError } from "../turn/error.ts";
import type { Rung, TurnEvent } from "../turn/event.ts";
import type { TurnListener } from "../turn/listener.ts";
import type { AssistantMessage } from "../turn/request.ts";

export interface ResponseFacts {
	runId: string;
	model: string;
	path: Rung;
}

/**
 * A response of more characters is not remembered. It then has no checkpoint, and the next request is rebuilt from the
 * history that the client sends: what only saves a repetition must not cost the memory of the longest answer.
 */
export const MOST_REMEMBERED = 4 << 20;

/** Stands between a run and whoever asked: says how the response began, and remembers what was said. */
export class SessionListener implements TurnListener {
	readonly #target: TurnListener;
	readonly #facts: ResponseFacts;
	#collector: TurnCollector | undefined = new TurnCollector();
	#characters = 0;
	readonly #ended: (answer: AssistantMessage) => void;
	#started = false;

	/** `ended` is told of a response that is complete, waits for no tool and was remembered. */
	constructor(target: TurnListener, facts: ResponseFacts, ended: (answer: AssistantMessage) => void) {
		this.#target = target;
		this.#facts = facts;
		this.#ended = ended;
	}

	events(batch: readonly TurnEvent[]): void {
		this.#remember(batch);
		this.#target.events(this.#started ? batch : this.#withStart(batch));
		const turn = this.#collector?.turn;
		if (turn?.end && turn.end.reason !== "tool-calls") this.#ended({ role: "assistant", content: turn.content });
	}

	failed(error: GatewayError): void {
		this.#target.failed(error);
	}

	#remember(batch: readonly TurnEvent[]): void {
		for (const event of batch) {
			this.#collector?.add(event);
			if ("text" in event) this.#characters += event.text.length;
		}
		if (this.#characters > MOST_REMEMBERED) this.#collector = undefined;
	}

	/** The first thing that is said tells how. A heartbeat says nothing. */
	#withStart(batch: readonly TurnEvent[]): readonly TurnEvent[] {
		if (batch.every(({ type }) => type === "activity")) return batch;
		this.#started = true;
		return [{ type: "turn-start", ...this.#facts }, ...batch.filter(({ type }) => type !== "activity")];
	}
}
