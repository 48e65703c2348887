import type { GroupLink } from "../store/redis/group-link.ts";
import { CLAIM } from "../store/redis/group-scripts.ts";
import { nameOf } from "../store/redis/script.ts";
import type { Clock } from "../time/clock.ts";
import { sleep } from "../time/sleep.ts";
import { type Claimed, claimedOf } from "./script-replies.ts";

export interface ClaimsOptions {
	/** The name of this gateway in the group. */
	id: string;
	clock: Clock;
	/** How long a run can be found after it has parked. */
	runTtlMs: number;
}

/** A client may be quicker with its results than the gateway that has the run is with telling of it. */
const ON_ITS_WAY_MS = 100;
/** How long it is remembered that a gateway found nobody for a call: a run may be registered again after a loss. */
const REMEMBERED_MS = 120_000;

/** Looks for runs that wait for certain calls. */
export class Claims {
	readonly #link: GroupLink;
	readonly #options: ClaimsOptions;

	constructor(link: GroupLink, options: ClaimsOptions) {
		this.#link = link;
		this.#options = options;
	}

	/** Whoever has the run gets the message. */
	async claim(caller: string, calls: readonly string[], message: string): Promise<Claimed> {
		const found = await this.#look(caller, calls, message, 0);
		if (found.kind !== "unknown") return found;
		await sleep(ON_ITS_WAY_MS, this.#options.clock);
		return this.#look(caller, calls, message, REMEMBERED_MS);
	}

	async #look(caller: string, calls: readonly string[], message: string, rememberMs: number): Promise<Claimed> {
		const { id, runTtlMs } = this.#options;
		return claimedOf(await this.#link.run(CLAIM, [id, runTtlMs, rememberMs, message, nameOf(caller), ...calls]));
	}
}
