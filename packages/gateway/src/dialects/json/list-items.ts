import { OPEN_BRACKET } from "./json-bytes.ts";

/** The names under which bodies list their messages, as they are written. */
const NAMES = ["messages", "input"].map((name) => ({ name, bytes: Buffer.from(`"${name}"`) }));
const COLON_AND_BLANKS = new Set([0x3a, 0x20, 0x0a, 0x09, 0x0d]);

/** Where the items of a body's list of messages are. */
export class ListItems {
	/** The list's name; empty if none was found. */
	name = "";
	/** Behind the bracket that opens the list. */
	head = 0;
	/** Behind each item that is an object or a list. */
	readonly ends: number[];
	/** How many values the body has up to there. */
	readonly nodes: number[];
	#isOpen = false;

	/** `begun`: the first items of a list that begins with them. */
	constructor(begun?: { items: ListItems; count: number }) {
		this.ends = begun?.items.ends.slice(0, begun.count) ?? [];
		this.nodes = begun?.items.nodes.slice(0, begun.count) ?? [];
		if (!begun) return;
		this.name = begun.items.name;
		this.head = begun.items.head;
		this.#isOpen = true;
	}

	/** Something opens directly in the body. */
	opens(bytes: Buffer, index: number): void {
		this.#isOpen = false;
		if (this.name !== "" || bytes[index] !== OPEN_BRACKET) return;
		this.name = nameBefore(bytes, index);
		this.head = index + 1;
		this.#isOpen = this.name !== "";
	}

	/** Something that is inside of what opened has ended. */
	itemEnds(end: number, nodes: number): void {
		if (!this.#isOpen) return;
		this.ends.push(end);
		this.nodes.push(nodes);
	}
}

/** The name of the value that begins at `index`, if it is one of those; it may turn out to be the end of another. */
function nameBefore(bytes: Buffer, index: number): string {
	let end = index;
	while (COLON_AND_BLANKS.has(bytes[end - 1] as number)) end--;
	const found = NAMES.find(
		({ bytes: name }) => end >= name.length && name.equals(bytes.subarray(end - name.length, end)),
	);
	return found?.name ?? "";
}
