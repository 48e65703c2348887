import type { Sliced } from "../../time/slices.ts";
import { invalid } from "../shared/invalid.ts";
import { CASE_BIT, CLOSING, COMMA, OPENING, QUOTE, STRIDE, TO_CLOSING } from "./json-bytes.ts";
import { MAX_JSON_DEPTH } from "./json-limits.ts";
import { cutNear, isEscaped, LONGEST_ESCAPE } from "./json-strings.ts";

/** A value, or the name of one, that is too long to be parsed in one go. */
export interface LargePlace {
	/** Behind its last byte. */
	end: number;
	/** Of an array or object: its commas. Of a string: places where it can be cut. */
	cuts: number[];
}

/** Where the large places begin. */
export type JsonLayout = ReadonlyMap<number, LargePlace>;

/** An array or object that is not closed yet. */
interface Open {
	start: number;
	closing: number;
	cuts: number[];
}

/** A string that is not closed yet. */
interface OpenString {
	start: number;
	cuts: number[];
}

/**
 * Finds the arrays, objects and strings of more than `large` bytes, and where they can be cut. Refuses what is nested
 * too deep or has too many values; undefined where the brackets alone show that it is no JSON.
 */
export function* jsonLayout(bytes: Buffer, large: number, maxNodes: number): Sliced<JsonLayout | undefined> {
	const scan = new Scan(bytes, large, maxNodes);
	const stride = Math.max(Math.min(STRIDE, large >> 1), LONGEST_ESCAPE + 1);
	for (let end = stride; !scan.isOver; end += stride) {
		if (!scan.to(Math.min(end, bytes.length))) return undefined;
		yield;
	}
	return scan.isBalanced ? scan.places : undefined;
}

class Scan {
	readonly places = new Map<number, LargePlace>();
	readonly #bytes: Buffer;
	readonly #large: number;
	readonly #maxNodes: number;
	readonly #open: Open[] = [];
	#index = 0;
	#nodes = 1;
	/** Of the string that the scan is in. */
	#string: OpenString | undefined;
	/** The first quote at this place or behind it. It may be far away, and is not searched for twice. */
	#quote = -1;

	constructor(bytes: Buffer, large: number, maxNodes: number) {
		this.#bytes = bytes;
		this.#large = large;
		this.#maxNodes = maxNodes;
	}

	get isOver(): boolean {
		return this.#index >= this.#bytes.length;
	}

	get isBalanced(): boolean {
		return this.#open.length === 0 && this.#string === undefined;
	}

	/** Goes on to about `end`. False: this is no JSON. */
	to(end: number): boolean {
		while (this.#index < end) {
			if (this.#string) this.#inString(this.#string, end);
			else if (!this.#outside(end)) return false;
		}
		return true;
	}

	#outside(end: number): boolean {
		for (; this.#index < end; this.#index++) {
			const byte = this.#bytes[this.#index] as number;
			if (byte === QUOTE) {
				this.#string = { start: this.#index, cuts: [] };
				this.#index++;
				return true;
			}
			if (byte === COMMA) this.#comma();
			else if ((byte | CASE_BIT) === OPENING) this.#opens(byte + TO_CLOSING);
			else if ((byte | CASE_BIT) === CLOSING && !this.#closes(byte)) return false;
		}
		return true;
	}

	#comma(): void {
		this.#count();
		this.#open.at(-1)?.cuts.push(this.#index);
	}

	#opens(closing: number): void {
		this.#count();
		if (this.#open.length === MAX_JSON_DEPTH) throw invalid("", `is nested deeper than ${MAX_JSON_DEPTH} levels`);
		this.#open.push({ start: this.#index, closing, cuts: [] });
	}

	#closes(byte: number): boolean {
		const closed = this.#open.pop();
		if (closed?.closing !== byte) return false;
		this.#keep(closed.start, this.#index + 1, closed.cuts);
		return true;
	}

	#count(): void {
		if (++this.#nodes > this.#maxNodes) throw invalid("", `holds more than ${this.#maxNodes} values`);
	}

	#inString({ start, cuts }: OpenString, end: number): void {
		const bytes = this.#bytes;
		let from = this.#index;
		for (let quote = this.#quoteFrom(from); quote < end; quote = this.#quoteFrom(from)) {
			if (!isEscaped(bytes, from, quote)) {
				this.#keep(start, quote + 1, cuts);
				this.#string = undefined;
				this.#index = quote + 1;
				return;
			}
			from = quote + 1;
		}
		if (end - (cuts.at(-1) ?? start) >= this.#large) cuts.push(cutNear(bytes, from, end));
		this.#index = isEscaped(bytes, from, end) ? end + 1 : end;
	}

	/** The length of the bytes if there is no further quote. */
	#quoteFrom(index: number): number {
		if (this.#quote >= index) return this.#quote;
		const found = this.#bytes.indexOf(QUOTE, index);
		this.#quote = found < 0 ? this.#bytes.length : found;
		return this.#quote;
	}

	#keep(start: number, end: number, cuts: number[]): void {
		if (end - start > this.#large) this.places.set(start, { end, cuts });
	}
}
