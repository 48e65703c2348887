import type { Label } from "./label.ts";
import type { SeriesRoom } from "./series-room.ts";

/** A combination of label values that is in use. */
export interface Cell {
	index: number;
	/** In the order of the labels. */
	values: string[];
}

/**
 * The combinations of the values of a metric's labels, as numbers. Nothing is made when a combination is used again, so
 * that counting costs no memory.
 */
export class Cells {
	readonly labels: readonly Label[];
	/** How many combinations there can be. */
	readonly size: number;
	readonly #room: SeriesRoom;
	/** How many series a combination has. */
	readonly #width: number;
	readonly #isUsed: Uint8Array;
	readonly #isReserved: Uint8Array;

	constructor(labels: readonly Label[], width: number, room: SeriesRoom) {
		this.labels = labels;
		this.size = labels.reduce((product, { size }) => product * size, 1);
		this.#width = width;
		this.#room = room;
		this.#isUsed = new Uint8Array(this.size);
		this.#isReserved = this.#reserve();
	}

	/** The number of a combination, or -1 if there is no room for it. */
	indexOf(first = "", second = "", third = ""): number {
		const { labels } = this;
		let index = labels.length > 0 ? labels[0]!.numberOf(first) : 0;
		if (labels.length > 1) index = index * labels[1]!.size + labels[1]!.numberOf(second);
		if (labels.length > 2) index = index * labels[2]!.size + labels[2]!.numberOf(third);
		return this.#isUsed[index] === 1 ? index : this.#use(index);
	}

	/** Uses every combination of closed values, so that they are there with 0 before anything is counted. */
	useReserved(): void {
		for (let index = 0; index < this.size; index++) if (this.#isReserved[index] === 1) this.#isUsed[index] = 1;
	}

	*used(): Generator<Cell> {
		for (let index = 0; index < this.size; index++) {
			if (this.#isUsed[index] !== 1) continue;
			const numbers = this.#numbersOf(index);
			yield { index, values: this.labels.map((label, place) => label.valueOf(numbers[place]!)) };
		}
	}

	#use(index: number): number {
		if (this.#isReserved[index] === 1 || this.#room.take(this.#width)) {
			this.#isUsed[index] = 1;
			return index;
		}
		const folded = this.#folded(index);
		if (folded === index) return -1;
		return this.#isUsed[folded] === 1 ? folded : this.#use(folded);
	}

	/** The same combination with `other` in place of names. */
	#folded(index: number): number {
		const numbers = this.#numbersOf(index);
		return this.labels.reduce(
			(sum, { size, isOpen, other }, place) => sum * size + (isOpen ? other : numbers[place]!),
			0,
		);
	}

	/**
	 * Marks the combinations of closed values and takes room for them: with every name where a combination is one
	 * series, and with `other` for names where it is several.
	 */
	#reserve(): Uint8Array {
		const isReserved = new Uint8Array(this.size);
		for (let index = 0; index < this.size; index++) {
			const numbers = this.#numbersOf(index);
			const isKnown = this.labels.every(({ isOpen, other }, place) =>
				isOpen ? this.#width === 1 || numbers[place] === other : numbers[place] !== other,
			);
			if (isKnown && this.#room.take(this.#width)) isReserved[index] = 1;
		}
		return isReserved;
	}

	#numbersOf(index: number): number[] {
		const numbers: number[] = [];
		let rest = index;
		for (const { size } of [...this.labels].reverse()) {
			numbers.unshift(rest % size);
			rest = Math.floor(rest / size);
		}
		return numbers;
	}
}
