import { WireType } from "@bufbuild/protobuf/wire";

/** Text is written as UTF-8. */
type Content = string | Uint8Array | MessagePieces;

/** A field: its tag, a number (its value, or the length of its content), and its content. Or only content. */
interface Piece {
	/** 0: there is neither tag nor number, and the content is what `raw` got. */
	tag: number;
	number: number;
	content: Content | undefined;
	next: Piece | undefined;
}

/**
 * A protobuf message in the making. Nothing is copied before the whole message is finished, as a prompt of megabytes
 * stands five messages deep. The pieces are a chain, because V8 gives an array that grows room for seventeen at once, and
 * most of these messages have one or two.
 */
export class MessagePieces {
	#first: Piece | undefined;
	#last: Piece | undefined;
	#length = 0;

	get length(): number {
		return this.#length;
	}

	/** A field with content. What is embedded may not change any more. */
	embed(field: number, content: Uint8Array | MessagePieces): this {
		return this.#content(field, content, content.length);
	}

	/** An empty text is left out, as everywhere in this protocol. */
	text(field: number, value: string): this {
		return value === "" ? this : this.#content(field, value, Buffer.byteLength(value));
	}

	/** A field with a number that is not negative. */
	varint(field: number, value: number): this {
		return this.#add(field * 8 + WireType.Varint, value, undefined, 0);
	}

	/** Bytes that are fields already, or the next piece of a text. */
	raw(bytes: Uint8Array): this {
		return bytes.length === 0 ? this : this.#add(0, 0, bytes, bytes.length);
	}

	finish(): Uint8Array {
		const bytes = Buffer.allocUnsafe(this.#length);
		this.#writeTo(bytes, 0);
		return bytes;
	}

	#content(field: number, content: Content, length: number): this {
		return this.#add(field * 8 + WireType.LengthDelimited, length, content, length);
	}

	#add(tag: number, number: number, content: Content | undefined, length: number): this {
		const piece: Piece = { tag, number, content, next: undefined };
		if (this.#last) this.#last.next = piece;
		else this.#first = piece;
		this.#last = piece;
		this.#length += length;
		if (tag !== 0) this.#length += varintLength(tag) + varintLength(number);
		return this;
	}

	/** Returns where the next piece goes. */
	#writeTo(bytes: Buffer, start: number): number {
		let offset = start;
		for (let piece = this.#first; piece; piece = piece.next) {
			const { tag, number, content } = piece;
			if (tag !== 0) offset = writeVarint(bytes, writeVarint(bytes, offset, tag), number);
			if (content === undefined) continue;
			if (typeof content === "string") offset += bytes.write(content, offset);
			else if (content instanceof MessagePieces) offset = content.#writeTo(bytes, offset);
			else {
				bytes.set(content, offset);
				offset += content.length;
			}
		}
		return offset;
	}
}

/** Numbers up to 2³², which is longer than any message. */
function varintLength(value: number): number {
	let length = 1;
	for (let rest = value >>> 7; rest > 0; rest >>>= 7) length++;
	return length;
}

function writeVarint(bytes: Buffer, start: number, value: number): number {
	let offset = start;
	let rest = value;
	for (; rest > 0x7f; rest >>>= 7) bytes[offset++] = (rest & 0x7f) | 0x80;
	bytes[offset++] = rest;
	return offset;
}
