import type { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnListener } from "../turn/listener.ts";

/**
 * Keeps back what is said before whoever started the turn knows about it. A replay, or a call that was there before the
 * result of the last one, is complete at once, and the head of its answer tells how it was started.
 */
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
