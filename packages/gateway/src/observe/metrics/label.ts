import type { LabelRow } from "./metric-row.ts";

/** What is counted under no name of its own. */
const OTHER = "other";

/** The values of a label, each with a number. The last number is that of `other`. */
export class Label {
	readonly name: string;
	/** How many values there can be, `other` included. */
	readonly size: number;
	readonly isOpen: boolean;
	readonly #isAllowed: (value: string) => boolean;
	readonly #numbers = new Map<string, number>();
	readonly #values: string[] = [];

	/** `isAllowed` says which names an open label may take. */
	constructor(name: string, row: LabelRow, isAllowed: (value: string) => boolean = () => true) {
		this.name = name;
		this.isOpen = "atMost" in row;
		this.#isAllowed = isAllowed;
		if ("atMost" in row) {
			this.size = row.atMost + 1;
		} else {
			this.size = row.length + 1;
			for (const value of row) this.#add(value);
		}
	}

	get other(): number {
		return this.size - 1;
	}

	/** The number of a value. A name that is new to an open label gets one, while there are any left. */
	numberOf(value: string): number {
		const known = this.#numbers.get(value);
		if (known !== undefined) return known;
		const isNew = this.isOpen && value !== "" && this.#values.length < this.other && this.#isAllowed(value);
		return isNew ? this.#add(value) : this.other;
	}

	valueOf(number: number): string {
		return this.#values[number] ?? OTHER;
	}

	#add(value: string): number {
		const number = this.#values.length;
		this.#numbers.set(value, number);
		this.#values.push(value);
		return number;
	}
}
