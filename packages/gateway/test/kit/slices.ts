import type { Sliced } from "../../src/time/slices.ts";

/** How often a piece of work lets others have their turn. */
export function pausesOf(work: Sliced<unknown>): number {
	let pauses = 0;
	while (!work.next().done) pauses++;
	return pauses;
}
