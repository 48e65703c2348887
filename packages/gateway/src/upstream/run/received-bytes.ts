import { MESSAGE_OVERHEAD_BYTES, type SizeLimits } from "./size-limits.ts";

/** Counts what a run receives: in all, and while it waits for results of tools. */
export class ReceivedBytes {
	readonly #limits: SizeLimits;
	#all = 0;
	#parked = 0;

	constructor(limits: SizeLimits) {
		this.#limits = limits;
	}

	/** Counts a message, and tells which limit is passed with it. */
	add({ length }: Uint8Array, isParked: boolean): "runBytes" | "parkedBytes" | undefined {
		const cost = length + MESSAGE_OVERHEAD_BYTES;
		this.#all += cost;
		if (isParked) this.#parked += cost;
		if (this.#all > this.#limits.runBytes) return "runBytes";
		return this.#parked > this.#limits.parkedBytes ? "parkedBytes" : undefined;
	}

	/** The run begins to wait, or has stopped. */
	waitAnew(): void {
		this.#parked = 0;
	}
}
