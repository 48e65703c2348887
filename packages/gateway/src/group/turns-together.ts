import type { GroupLink } from "../store/redis/group-link.ts";
import { BEGIN_TURN, COUNT_TURNS } from "../store/redis/group-scripts.ts";
import { nameOf } from "../store/redis/script.ts";

/**
 * How many turns of a caller run in all gateways. Each tells its own number, never a difference, so what was lost on the
 * way is right again with the next turn; and those of a gateway without a lease do not count.
 */
export class TurnsTogether {
	readonly #link: GroupLink;
	readonly #me: string;
	readonly #here = new Map<string, number>();

	constructor(link: GroupLink, me: string) {
		this.#link = link;
		this.#me = me;
	}

	async begin(caller: string, here: number, limit: number): Promise<boolean> {
		this.#count(caller, here);
		// Alone, a gateway has its own limit.
		if (!this.#link.isUp) return true;
		return this.#link.run(BEGIN_TURN, [this.#me, nameOf(caller), here, limit]).then(
			(fits) => fits === 1,
			() => true,
		);
	}

	ended(caller: string, here: number): void {
		this.#count(caller, here);
		this.#tell(caller, here);
	}

	/** For a Redis that was away. */
	tellAll(): void {
		for (const [caller, here] of this.#here) this.#tell(caller, here);
	}

	#count(caller: string, here: number): void {
		if (here === 0) this.#here.delete(caller);
		else this.#here.set(caller, here);
	}

	#tell(caller: string, here: number): void {
		if (this.#link.isUp) this.#link.run(COUNT_TURNS, [this.#me, nameOf(caller), here]).catch(() => {});
	}
}
