import { utf8Text } from "../../text/utf8-text.ts";
import { SLICE_LENGTH, type Sliced } from "../../time/slices.ts";
import { BACKSLASH, COLON, OPEN_BRACKET, QUOTE, STRIDE } from "./json-bytes.ts";
import { type JsonLayout, jsonLayout, type LargePlace } from "./json-layout.ts";
import { MAX_JSON_NODES } from "./json-limits.ts";

const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d;

/**
 * What `JSON.parse` makes of the bytes, which are UTF-8, without stopping everything else for it: what is long is parsed
 * in pieces of about `large` bytes each. Throws a `SyntaxError` where it is no JSON.
 */
export function* parseInSlices(
	bytes: Buffer,
	{ large = SLICE_LENGTH, maxNodes = MAX_JSON_NODES }: { large?: number; maxNodes?: number } = {},
): Sliced<unknown> {
	const layout = yield* jsonLayout(bytes, large, maxNodes);
	if (!layout) throw notJson();
	return yield* new Slices(bytes, layout, large).value(0, bytes.length);
}

class Slices {
	readonly #bytes: Buffer;
	readonly #layout: JsonLayout;
	readonly #large: number;

	constructor(bytes: Buffer, layout: JsonLayout, large: number) {
		this.#bytes = bytes;
		this.#layout = layout;
		this.#large = large;
	}

	/** The one value between two places. */
	*value(start: number, end: number): Sliced<unknown> {
		const first = yield* this.#skipBlanks(start, end);
		const place = this.#layout.get(first);
		if (!place) return JSON.parse(this.#text(first, yield* this.#lastOf(first, end)));
		const value = yield* this.#largeValue(first, place);
		if ((yield* this.#skipBlanks(place.end, end)) !== end) throw notJson();
		return value;
	}

	#largeValue(start: number, place: LargePlace): Sliced<unknown> {
		const byte = this.#bytes[start];
		if (byte === QUOTE) return this.#string(start, place);
		return byte === OPEN_BRACKET ? this.#array(start, place) : this.#object(start, place);
	}

	*#string(start: number, { end, cuts }: LargePlace): Sliced<string> {
		let text = "";
		let from = start + 1;
		for (const to of [...cuts, end - 1]) {
			text += JSON.parse(`"${this.#text(from, to)}"`);
			from = to;
			yield;
		}
		return text;
	}

	*#array(start: number, place: LargePlace): Sliced<unknown[]> {
		const items: unknown[] = [];
		if (yield* this.#isEmpty(start, place)) return items;
		for (const [from, to] of this.#groups(start, place)) {
			if (to - from > this.#large) items.push(yield* this.value(from, to));
			else for (const item of JSON.parse(`[${this.#members(from, to)}]`)) items.push(item);
			yield;
		}
		return items;
	}

	*#object(start: number, place: LargePlace): Sliced<object> {
		const object = {};
		if (yield* this.#isEmpty(start, place)) return object;
		for (const [from, to] of this.#groups(start, place)) {
			if (to - from > this.#large) yield* this.#member(object, from, to);
			else assign(object, JSON.parse(`{${this.#members(from, to)}}`));
			yield;
		}
		return object;
	}

	/** A name and a value of which at least one is large. */
	*#member(object: object, start: number, end: number): Sliced<void> {
		const first = yield* this.#skipBlanks(start, end);
		if (this.#bytes[first] !== QUOTE) throw notJson();
		const afterName = this.#layout.get(first)?.end ?? this.#endOfName(first, end);
		const name = yield* this.value(first, afterName);
		const colon = yield* this.#skipBlanks(afterName, end);
		if (this.#bytes[colon] !== COLON) throw notJson();
		assign(object, { [name as string]: yield* this.value(colon + 1, end) });
	}

	/** Ranges of members that are parsed together: one that is large, or several that are not in all. */
	*#groups(start: number, { end, cuts }: LargePlace): Generator<[from: number, to: number], void, undefined> {
		let from = start + 1;
		let to = from;
		for (const next of [...cuts, end - 1]) {
			if (next - from > this.#large && to > from) {
				yield [from, to];
				from = to + 1;
			}
			to = next;
		}
		yield [from, to];
	}

	/** Nothing between two commas is no member, though nothing between two brackets is a list. */
	#members(from: number, to: number): string {
		const text = this.#text(from, to);
		if (text.trim() === "") throw notJson();
		return text;
	}

	*#isEmpty(start: number, { end, cuts }: LargePlace): Sliced<boolean> {
		return cuts.length === 0 && (yield* this.#skipBlanks(start + 1, end)) === end - 1;
	}

	#text(start: number, end: number): string {
		return utf8Text(this.#bytes, start, end);
	}

	/** There may be megabytes of blanks, before a value and behind it. */
	*#skipBlanks(start: number, end: number): Sliced<number> {
		for (let index = start; index < end; yield) {
			const stop = Math.min(index + STRIDE, end);
			while (index < stop && isBlank(this.#bytes[index])) index++;
			if (index < stop) return index;
		}
		return end;
	}

	/** The end without the blanks before it. */
	*#lastOf(start: number, end: number): Sliced<number> {
		for (let last = end; last > start; yield) {
			const stop = Math.max(last - STRIDE, start);
			while (last > stop && isBlank(this.#bytes[last - 1])) last--;
			if (last > stop) return last;
		}
		return start;
	}

	/** Behind the quote that closes a name which is not large. */
	#endOfName(start: number, end: number): number {
		let index = start + 1;
		while (index < end && this.#bytes[index] !== QUOTE) index += this.#bytes[index] === BACKSLASH ? 2 : 1;
		return index + 1;
	}
}

/** As `JSON.parse` does it: a name that means something in the language is a name like others, and the last one counts. */
function assign(target: object, members: object): void {
	for (const [name, value] of Object.entries(members)) {
		Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true });
	}
}

const notJson = () => new SyntaxError("The text is not JSON.");
