/**
 * How many times in a row a gateway has to be found without a lease before a reply that is under way is given up: about
 * three seconds after its lease has ended. Only an error could take the place of the reply, and a gateway that is merely
 * overloaded goes on with it.
 */
export const PATIENCE = 8;

/** How often in a row other gateways were found without a lease. Counted, because this one may have stood still itself. */
export class MissingPeers {
	#times = new Map<string, number>();

	/** Those that were found without one this time. All others count as alive. */
	count(missing: readonly string[]): ReadonlyMap<string, number> {
		this.#times = new Map(missing.map((peer) => [peer, (this.#times.get(peer) ?? 0) + 1]));
		return this.#times;
	}
}
