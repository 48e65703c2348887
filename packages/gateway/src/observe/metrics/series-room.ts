/**
 * How many series there may be in all. Metrics with closed labels reserve theirs at the start; what is left goes to the
 * names that appear first.
 */
export class SeriesRoom {
	#left: number;

	constructor(most: number) {
		this.#left = most;
	}

	get left(): number {
		return this.#left;
	}

	/** False: they do not fit. */
	take(series: number): boolean {
		if (series > this.#left) return false;
		this.#left -= series;
		return true;
	}
}
