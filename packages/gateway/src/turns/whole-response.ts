import { type CollectedTurn, TurnCollector } from "../turn/collect.ts";
import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";

/** Collects a reply for a response that is not streamed. */
export class WholeResponse implements TurnListener {
	readonly #collector = new TurnCollector();
	readonly #done: Promise<CollectedTurn>;
	#resolve!: (turn: CollectedTurn) => void;
	#reject!: (error: GatewayError) => void;
	#handle: TurnHandle | undefined;
	#abandoned = false;

	constructor() {
		this.#done = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		this.#done.catch(() => {});
	}

	attach(handle: TurnHandle): void {
		this.#handle = handle;
		if (this.#abandoned) handle.cancel();
	}

	/** The client does not wait for the reply any more. */
	abandon(): void {
		this.#abandoned = true;
		this.#handle?.cancel();
	}

	/** Resolves with the complete reply, or rejects with its error. */
	turn(): Promise<CollectedTurn> {
		return this.#done;
	}

	events(batch: readonly TurnEvent[]): void {
		for (const event of batch) this.#collector.add(event);
		if (this.#collector.turn.end) this.#resolve(this.#collector.turn);
	}

	failed(error: GatewayError): void {
		this.#reject(error);
	}
}
