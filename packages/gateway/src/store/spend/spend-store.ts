import type { Soon } from "../../time/soon.ts";
import type { SpendLimit } from "./spend-limit.ts";

/** What one request takes from one counter. */
export interface SpendTake {
	/** The name of the counter: the limit, the beginning of its window, and what is counted. */
	counter: string;
	amount: number;
	/** The counter may not become larger than this; undefined: it only counts. */
	most?: number;
	/** When the counter began. */
	since: number;
	/** When it may be forgotten. */
	expiresAt: number;
}

/** A change of a counter that is never refused: what was taken too much or too little. */
export type SpendChange = Omit<SpendTake, "most">;

/** All was taken, or nothing. `used` is what the counters, in the order of the takes, say afterwards. */
export interface SpendTaken {
	taken: boolean;
	used: number[];
}

/** The owner's limits, and what was spent of them. */
export interface SpendStore {
	/** Removed ones included, oldest first. */
	listLimits(): Promise<SpendLimit[]>;
	/** Keeps a limit, unless it is known in a newer form. */
	putLimit(limit: SpendLimit): Promise<void>;
	/** Takes from all counters or, where one of them would become too large, from none. Nothing comes in between. */
	takeSpend(takes: readonly SpendTake[]): Soon<SpendTaken>;
	/** What the counters say afterwards. None becomes less than nothing. */
	changeSpend(changes: readonly SpendChange[]): Soon<number[]>;
	/** What the counters say; nothing was taken from one that is not known. */
	readSpend(counters: readonly string[]): Soon<number[]>;
}

/** Nobody can say what was spent: the store cannot be read, and memory does not know the counter either. */
export class SpendUnknownError extends Error {
	override readonly name = "SpendUnknownError";
}
