import { MESSAGE_OVERHEAD_BYTES, type SizeLimits, tooLarge } from "./size-limits.ts";

/** Counts what a run receives: in all, and while it waits for results of tools. */
export class ReceivedBytes {
	readonly #limits: SizeLimits;
	#all = 0;
	#parked = 0;

	constructor(limits: SizeLimits) {
		this.#limits = limits;
	}

	/** Counts a message. Throws beyond what a run may bring; false: too much for a run that waits. */
	add(length: number, isParked: boolean): boolean {
		const cost = length + MESSAGE_OVERHEAD_BYTES;
		this.#all += cost;
		if (isParked) this.#parked += cost;
		if (this.#all > this.#limits.runBytes) throw tooLarge("runBytes", this.#limits);
		return this.#parked <= this.#limits.parkedBytes;
	}

	/** The run begins to wait, or has stopped. */
	waitAnew(): void {
		this.#parked = 0;
	}
}
