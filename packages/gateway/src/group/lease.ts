import type { Clock } from "../time/clock.ts";

/** How long a gateway that says nothing still counts as alive. */
export const LEASE_MS = 2_000;
/** So old may a renewal be, since it was sent, for nobody to have taken anything. It leaves room for clocks that drift. */
const SURE_MS = 1_500;

/** What a gateway knows about its own lease, by its own clock. */
export class Lease {
	readonly #clock: Pick<Clock, "now">;
	#sentAt = Number.NEGATIVE_INFINITY;

	constructor(clock: Pick<Clock, "now">) {
		this.#clock = clock;
	}

	/** Redis has had the lease for less than its length, because it got the renewal after it was sent. */
	get holds(): boolean {
		return this.#clock.now() - this.#sentAt < SURE_MS;
	}

	/** Renews it. A process may be stopped between any two steps, so what counts is when the renewal was sent. */
	async renew<T>(send: () => Promise<T>): Promise<T> {
		const sentAt = this.#clock.now();
		const reply = await send();
		this.#sentAt = Math.max(this.#sentAt, sentAt);
		return reply;
	}

	end(): void {
		this.#sentAt = Number.NEGATIVE_INFINITY;
	}
}
