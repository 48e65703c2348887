import type { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import type { TurnListener } from "../../turn/listener.ts";

/** Holds events back until the next turn of the event loop. */
export class HeldListener implements TurnListener {
	readonly #target: TurnListener;
	#held: (() => void)[] | undefined = [];

	constructor(target: TurnListener) {
		this.#target = target;
		setImmediate(() => this.#release());
	}

	events(batch: readonly TurnEvent[]): void {
		if (this.#held) this.#held.push(() => this.#target.events(batch));
		else this.#target.events(batch);
	}

	failed(error: GatewayError): void {
		if (this.#held) this.#held.push(() => this.#target.failed(error));
		else this.#target.failed(error);
	}

	#release(): void {
		const held = this.#held ?? [];
		this.#held = undefined;
		for (const deliver of held) deliver();
	}
}
