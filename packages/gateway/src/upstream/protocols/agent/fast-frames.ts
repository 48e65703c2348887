import type { EndCounts } from "./run-work.ts";

// Text, thinking, token counts, heartbeats and ends of turns make up nearly all frames of a stream. They are recognised by their bytes
// and never become protobuf messages. Whatever looks unusual is left to the general path; a property test holds both
// paths equal.

const INTERACTION_UPDATE = 0x0a;
const TEXT_DELTA = 0x0a;
const THINKING_DELTA = 0x22;
const TOKEN_DELTA = 0x42;
const HEARTBEAT = 0x6a;
const TURN_ENDED = 0x72;
const FIRST_FIELD_BYTES = 0x0a;
const FIRST_FIELD_VARINT = 0x08;

/** The counts of an end by their tags. */
const END_COUNTS: ReadonlyMap<number, keyof EndCounts> = new Map([
	[0x08, "inputTokens"],
	[0x10, "outputTokens"],
	[0x18, "cacheReadTokens"],
	[0x20, "cacheWriteTokens"],
	[0x28, "reasoningTokens"],
]);
const NOTHING_COUNTED: EndCounts = {
	inputTokens: 0,
	outputTokens: 0,
	cacheReadTokens: 0,
	cacheWriteTokens: 0,
	reasoningTokens: 0,
};

export const FastKind = { none: 0, text: 1, thinking: 2, tokens: 3, heartbeat: 4, end: 5 } as const;
export type FastKind = (typeof FastKind)[keyof typeof FastKind];

/** Reads one frame; reused for all frames of a stream, so that the hot path makes no object. */
export class FastFrame {
	/** Where the text begins, for text and thinking. It ends with the frame. */
	start = 0;
	/** For token counts. */
	tokens = 0;
	/** For ends of turns. */
	counts: EndCounts = NOTHING_COUNTED;
	#at = 0;
	#end = 0;

	/** The frame is the bytes from `start` to `end`. */
	read(bytes: Uint8Array, start: number, end: number): FastKind {
		if (end - start < 4 || bytes[start] !== INTERACTION_UPDATE) return FastKind.none;
		this.#at = start + 1;
		this.#end = end;
		if (!this.#isRest(bytes) || this.#at === end) return FastKind.none;
		const kind = bytes[this.#at++];
		if (!this.#isRest(bytes)) return FastKind.none;
		switch (kind) {
			case TEXT_DELTA:
				return this.#onlyBytes(bytes) ? FastKind.text : FastKind.none;
			case THINKING_DELTA:
				return this.#onlyBytes(bytes) ? FastKind.thinking : FastKind.none;
			case TOKEN_DELTA:
				return this.#onlyCount(bytes) ? FastKind.tokens : FastKind.none;
			case HEARTBEAT:
				return this.#at === end ? FastKind.heartbeat : FastKind.none;
			case TURN_ENDED:
				return this.#onlyEndCounts(bytes) ? FastKind.end : FastKind.none;
			default:
				return FastKind.none;
		}
	}

	/** The message is nothing but its five counts, or some of them. */
	#onlyEndCounts(bytes: Uint8Array): boolean {
		if (this.#at < this.#end) this.counts = { ...NOTHING_COUNTED };
		else this.counts = NOTHING_COUNTED;
		while (this.#at < this.#end) {
			const name = END_COUNTS.get(bytes[this.#at++] as number);
			const count = name === undefined ? -1 : this.#varint(bytes);
			if (name === undefined || count < 0) return false;
			this.counts[name] = count;
		}
		return true;
	}

	/** The message is nothing but its first field, a text. */
	#onlyBytes(bytes: Uint8Array): boolean {
		if (this.#at === this.#end || bytes[this.#at++] !== FIRST_FIELD_BYTES || !this.#isRest(bytes)) return false;
		this.start = this.#at;
		return true;
	}

	#onlyCount(bytes: Uint8Array): boolean {
		if (this.#at === this.#end || bytes[this.#at++] !== FIRST_FIELD_VARINT) return false;
		this.tokens = this.#varint(bytes);
		return this.tokens >= 0 && this.#at === this.#end;
	}

	/** Reads a length. Whether it is that of everything up to the end of the frame. */
	#isRest(bytes: Uint8Array): boolean {
		const length = this.#varint(bytes);
		return length >= 0 && length === this.#end - this.#at;
	}

	/** A varint of at most four bytes; -1 for anything longer or cut off. */
	#varint(bytes: Uint8Array): number {
		let value = 0;
		for (let shift = 0; shift < 28; shift += 7) {
			if (this.#at >= this.#end) return -1;
			const byte = bytes[this.#at++] as number;
			value |= (byte & 0x7f) << shift;
			if (byte < 0x80) return value;
		}
		return -1;
	}
}
