import { Cells } from "./cells.ts";
import type { Label } from "./label.ts";
import type { SeriesRoom } from "./series-room.ts";

/** Counts, by the values of up to three labels. */
export class Counter {
	readonly cells: Cells;
	readonly #counts: Float64Array;

	constructor(labels: readonly Label[], room: SeriesRoom) {
		this.cells = new Cells(labels, 1, room);
		this.#counts = new Float64Array(this.cells.size);
		if (!labels.some(({ isOpen }) => isOpen)) this.cells.useReserved();
	}

	add(amount: number, first?: string, second?: string, third?: string): void {
		const index = this.cells.indexOf(first, second, third);
		if (index >= 0) this.#counts[index]! += amount;
	}

	valueAt(index: number): number {
		return this.#counts[index]!;
	}
}
