import { Cells } from "./cells.ts";
import type { Label } from "./label.ts";
import type { SeriesRoom } from "./series-room.ts";

export interface HistogramValue {
	/** How many were in each bucket, the last of which has no upper bound. Not added up. */
	counts: Float64Array;
	sum: number;
	count: number;
}

/** Counts values by size, by the values of up to three labels. */
export class Histogram {
	readonly cells: Cells;
	readonly buckets: readonly number[];
	/** For each combination of labels: a count per bucket, the count beyond the last one, and the sum. */
	readonly #numbers: Float64Array;
	readonly #width: number;

	constructor(labels: readonly Label[], buckets: readonly number[], room: SeriesRoom) {
		// Each bucket, the one without a bound, the sum and the count are a series each.
		this.cells = new Cells(labels, buckets.length + 3, room);
		this.buckets = buckets;
		this.#width = buckets.length + 2;
		this.#numbers = new Float64Array(this.cells.size * this.#width);
	}

	observe(value: number, first?: string, second?: string, third?: string): void {
		const index = this.cells.indexOf(first, second, third);
		if (index < 0 || !(value >= 0)) return;
		const start = index * this.#width;
		let bucket = 0;
		while (bucket < this.buckets.length && value > this.buckets[bucket]!) bucket++;
		this.#numbers[start + bucket]! += 1;
		this.#numbers[start + this.#width - 1]! += value;
	}

	valueAt(index: number): HistogramValue {
		const start = index * this.#width;
		const counts = this.#numbers.slice(start, start + this.#width - 1);
		return {
			counts,
			sum: this.#numbers[start + this.#width - 1]!,
			count: counts.reduce((sum, count) => sum + count, 0),
		};
	}
}
