/** Two clocks: the first one does not go on while the machine sleeps, and the second one may be set. */
export interface LeaseClocks {
	/** Milliseconds that never run backwards. */
	now(): number;
	/** Milliseconds since 1970. */
	time(): number;
}

/** How long a gateway that says nothing still counts as alive. */
export const LEASE_MS = 2_000;
/** How old a renewal may be, counted from when it was sent, for nobody to have taken a run. Clocks may drift a little. */
const SURE_MS = 1_500;

interface Moment {
	now: number;
	time: number;
}
const NEVER: Moment = { now: Number.NEGATIVE_INFINITY, time: Number.NEGATIVE_INFINITY };

/** What a gateway knows about its own lease, by its own clocks. */
export class Lease {
	readonly #clocks: LeaseClocks;
	#sent: Moment = NEVER;

	constructor(clocks: LeaseClocks) {
		this.#clocks = clocks;
	}

	/** Redis has had the lease for less than its length, because it got the renewal after it was sent. */
	get holds(): boolean {
		const { now, time } = this.#moment();
		return now - this.#sent.now < SURE_MS && time - this.#sent.time < SURE_MS;
	}

	/** Renews it. A process may be stopped between any two steps, so what counts is when the renewal was sent. */
	async renew<T>(send: () => Promise<T>): Promise<T> {
		const sent = this.#moment();
		const reply = await send();
		if (sent.now > this.#sent.now) this.#sent = sent;
		return reply;
	}

	end(): void {
		this.#sent = NEVER;
	}

	#moment(): Moment {
		return { now: this.#clocks.now(), time: this.#clocks.time() };
	}
}
