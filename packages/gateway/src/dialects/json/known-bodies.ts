import { randomUUID } from "node:crypto";
import { utf8Text } from "../../text/utf8-text.ts";
import type { Clock } from "../../time/clock.ts";
import { checkJsonLimits } from "./json-limits.ts";
import { ListItems } from "./list-items.ts";

/** Shorter bodies are parsed as fast as they are compared. */
export const SHORTEST_KNOWN = 1 << 16;
export const KNOWN_BODIES = 16;
export const KNOWN_BODIES_PER_CALLER = 4;
export const BODIES_KNOWN_MS = 5 * 60_000;

/** A body that was parsed: its bytes, and the messages in it. */
interface KnownBody {
	caller: string;
	bytes: Buffer;
	items: ListItems;
	values: readonly unknown[];
	at: number;
}

/**
 * Parses bodies, of which most begin like the caller's last one: a client sends the whole conversation with every turn.
 * The messages that are the same, byte for byte, are taken from what was parsed then. Nothing is taken from another
 * caller, and nobody may change a parsed message.
 */
export class KnownBodies {
	readonly #clock: Clock;
	/** The newest last. */
	#known: KnownBody[] = [];
	#isTimed = false;
	/** Stands for the messages that are not parsed again. No client knows it. */
	readonly #mark = randomUUID();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** What `JSON.parse` makes of the bytes, which are UTF-8. Throws where that or a limit is not kept. */
	parse(bytes: Buffer, caller: string): unknown {
		const same = this.#mostOf(bytes, caller);
		const items = new ListItems(same && { items: same.body.items, count: same.count });
		checkJsonLimits(bytes, items, same && { index: items.ends.at(-1)!, depth: 2, nodes: items.nodes.at(-1)! });
		const body = items.ends.length > 0 ? this.#parse(bytes, items, same) : undefined;
		if (!body) return JSON.parse(utf8Text(bytes));
		const { value, values, isListed } = body;
		if (isListed) this.#keep({ caller, bytes, items, values, at: this.#clock.now() }, same);
		return value;
	}

	/**
	 * Parses the body with the mark in place of the known messages. Where the mark is not found in the list afterwards,
	 * as the name comes twice or is another, or where this is no JSON, there is nothing to be said.
	 */
	#parse(bytes: Buffer, { name, head, ends }: ListItems, same: { body: KnownBody; count: number } | undefined) {
		const known = same ? same.body.values.slice(0, same.count) : [];
		const rest = utf8Text(bytes, same ? ends[same.count - 1]! : head);
		const value = parsed(`${utf8Text(bytes, 0, head)}"${this.#mark}"${same ? "" : ","}${rest}`);
		const list = value?.[name];
		if (!value || !Array.isArray(list) || list[0] !== this.#mark) return undefined;
		const values = known.concat(list.slice(1));
		// A list of its own, in case somebody changes it.
		value[name] = [...values];
		return { value, values, isListed: values.length === ends.length };
	}

	/** The known body with the most messages that these bytes begin with. */
	#mostOf(bytes: Buffer, caller: string): { body: KnownBody; count: number } | undefined {
		let most: { body: KnownBody; count: number } | undefined;
		for (const body of this.#known) {
			const count = body.caller === caller ? sameItems(body, bytes) : 0;
			if (count > (most?.count ?? 0)) most = { body, count };
		}
		return most;
	}

	/** A body that goes on where another ended takes its place. */
	#keep(body: KnownBody, same: { body: KnownBody; count: number } | undefined): void {
		const replaced = same && same.count === same.body.values.length ? same.body : undefined;
		const others = this.#known.filter((known) => known !== replaced);
		const own = others.filter(({ caller }) => caller === body.caller);
		const dropped = own.length >= KNOWN_BODIES_PER_CALLER ? own[0] : undefined;
		this.#known = [...others.filter((known) => known !== dropped), body].slice(-KNOWN_BODIES);
		this.#forgetLater();
	}

	#forgetLater(): void {
		if (this.#isTimed || this.#known.length === 0) return;
		this.#isTimed = true;
		this.#clock.after(BODIES_KNOWN_MS, () => {
			this.#isTimed = false;
			const since = this.#clock.now() - BODIES_KNOWN_MS;
			this.#known = this.#known.filter(({ at }) => at > since);
			this.#forgetLater();
		});
	}
}

/** How many messages of a known body the bytes begin with. */
function sameItems({ bytes, items }: KnownBody, other: Buffer): number {
	const isSame = (from: number, to: number) => to <= other.length && bytes.compare(other, from, to, from, to) === 0;
	const { ends } = items;
	let same = 0;
	// All up to `same` are the same, and those behind `different` are not.
	for (let different = ends.length, middle = different; same < different; middle = (same + different + 1) >> 1) {
		if (isSame(same === 0 ? 0 : ends[same - 1]!, ends[middle - 1]!)) same = middle;
		else different = middle - 1;
	}
	return same;
}

function parsed(text: string): Record<string, unknown> | undefined {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
