import { TurnCollector } from "../turn/collect.ts";
import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent, TurnPath } from "../turn/event.ts";
import type { AssistantMessage } from "../turn/request.ts";
import type { TurnListener } from "../turn/run.ts";

export interface ResponseFacts {
	runId: string;
	model: string;
	path: TurnPath;
}

/** Stands between a run and whoever asked: says how the response began, and remembers what was said. */
export class SessionListener implements TurnListener {
	readonly #target: TurnListener;
	readonly #facts: ResponseFacts;
	readonly #collector = new TurnCollector();
	readonly #ended: (answer: AssistantMessage) => void;
	#started = false;

	/** `ended` is told of a response that is complete and waits for no tool. */
	constructor(target: TurnListener, facts: ResponseFacts, ended: (answer: AssistantMessage) => void) {
		this.#target = target;
		this.#facts = facts;
		this.#ended = ended;
	}

	events(batch: readonly TurnEvent[]): void {
		for (const event of batch) this.#collector.add(event);
		this.#target.events(this.#started ? batch : this.#withStart(batch));
		const end = this.#collector.turn.end;
		if (end && end.reason !== "tool-calls") this.#ended({ role: "assistant", content: this.#collector.turn.content });
	}

	failed(error: GatewayError): void {
		this.#target.failed(error);
	}

	/** The first thing that is said tells how. A heartbeat says nothing. */
	#withStart(batch: readonly TurnEvent[]): readonly TurnEvent[] {
		if (batch.every(({ type }) => type === "activity")) return batch;
		this.#started = true;
		return [{ type: "turn-start", ...this.#facts }, ...batch.filter(({ type }) => type !== "activity")];
	}
}
