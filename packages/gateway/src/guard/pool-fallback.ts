import { type Soon, soon } from "../time/soon.ts";
import type { ToldPlan } from "./plan-share.ts";

export interface PoolFallbackOptions {
	/** From how many percent of the `api` pool on; 0: never. */
	percent: number;
	/** What Cursor last said. Asks nobody. */
	told(): ToldPlan | undefined;
}

/** Cursor's automatic choice, which is charged to the other pool. */
const INSTEAD = "auto";

/**
 * Where the `api` pool is nearly used up, the owner may want runs on the automatic model, which is charged to the other
 * pool of the same account. It happens only if it was asked for, and each reply says so.
 */
export class PoolFallback {
	readonly #options: PoolFallbackOptions;

	constructor(options: PoolFallbackOptions) {
		this.#options = options;
	}

	get isOn(): boolean {
		return this.#options.percent > 0;
	}

	/** Another model, and the words that announce it. Undefined: the model that was asked for. */
	instead(
		model: string,
		poolOf: () => Soon<"auto" | "api" | undefined>,
	): Soon<{ model: string; warning: string } | undefined> {
		const { percent, told } = this.#options;
		const used = percent > 0 ? told()?.pools.find(({ name }) => name === "api")?.usedPercent : undefined;
		if (used === undefined || used < percent) return undefined;
		return soon(poolOf(), (pool) => {
			if (pool !== "api") return undefined;
			const warning = `the api pool is used up to ${Math.round(used)}%, so ${INSTEAD} answers instead of ${model} (setting apiPoolFallback: ${percent})`;
			return { model: INSTEAD, warning };
		});
	}
}
