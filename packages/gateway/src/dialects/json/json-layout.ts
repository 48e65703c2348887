import type { Sliced } from "../../time/slices.ts";
import { invalid } from "../shared/invalid.ts";
import { BACKSLASH, CASE_BIT, CLOSING, COMMA, OPENING, QUOTE, STRIDE, TO_CLOSING } from "./json-bytes.ts";
import { MAX_JSON_DEPTH } from "./json-limits.ts";

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

/** `\u0000`, the longest escape. */
const LONGEST_ESCAPE = 6;

/**
 * Finds the arrays, objects and strings of more than `large` bytes, and where they can be cut. Refuses what is nested
 * too deep or has too many values; undefined where the brackets alone show that it is no JSON.
 */
export function* jsonLayout(bytes: Uint8Array, large: number, maxNodes: number): Sliced<JsonLayout | undefined> {
	const scan = new Scan(bytes, large, maxNodes);
	for (let end = STRIDE; !scan.isOver; end += STRIDE) {
		if (!scan.to(Math.min(end, bytes.length))) return undefined;
		yield;
	}
	return scan.isBalanced ? scan.places : undefined;
}

class Scan {
	readonly places = new Map<number, LargePlace>();
	readonly #bytes: Uint8Array;
	readonly #large: number;
	readonly #maxNodes: number;
	readonly #open: Open[] = [];
	#index = 0;
	#nodes = 1;
	/** Of the string that the scan is in. */
	#string: { start: number; cuts: number[]; cuttable: number } | undefined;

	constructor(bytes: Uint8Array, large: number, maxNodes: number) {
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
				this.#string = { start: this.#index, cuts: [], cuttable: this.#index + this.#large };
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

	#inString(string: { start: number; cuts: number[]; cuttable: number }, end: number): void {
		const bytes = this.#bytes;
		let index = this.#index;
		for (; index < end; index++) {
			const byte = bytes[index] as number;
			if (byte === QUOTE) {
				this.#keep(string.start, index + 1, string.cuts);
				this.#string = undefined;
				index++;
				break;
			}
			if (index >= string.cuttable && (byte & 0xc0) !== 0x80) {
				string.cuts.push(index);
				string.cuttable = index + this.#large;
			}
			if (byte === BACKSLASH) {
				string.cuttable = Math.max(string.cuttable, index + LONGEST_ESCAPE);
				index++;
			}
		}
		this.#index = index;
	}

	#keep(start: number, end: number, cuts: number[]): void {
		if (end - start > this.#large) this.places.set(start, { end, cuts });
	}
}
