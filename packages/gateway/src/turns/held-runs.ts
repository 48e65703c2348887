import type { TurnHandle } from "../turn/listener.ts";

const NO_HANDLES: readonly TurnHandle[] = [];

/** The runs of one response. They are paused, resumed and cancelled together, including runs that join later. */
export class HeldRuns {
	#handles: readonly TurnHandle[] = NO_HANDLES;
	#state: "free" | "held" | "cancelled" = "free";

	attach(handle: TurnHandle): void {
		// Nearly always one.
		this.#handles = this.#handles === NO_HANDLES ? [handle] : [...this.#handles, handle];
		if (this.#state === "cancelled") handle.cancel();
		else if (this.#state === "held") handle.pause();
	}

	hold(): void {
		if (this.#state !== "free") return;
		this.#state = "held";
		for (const handle of this.#handles) handle.pause();
	}

	letGo(): void {
		if (this.#state !== "held") return;
		this.#state = "free";
		for (const handle of this.#handles) handle.resume();
	}

	cancel(): void {
		this.#state = "cancelled";
		for (const handle of this.#handles) handle.cancel();
	}
}
