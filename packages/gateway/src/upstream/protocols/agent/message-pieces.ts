import { WireType } from "@bufbuild/protobuf/wire";

/** A number is written as a varint, a text as UTF-8. */
type Piece = number | string | Uint8Array | MessagePieces;

/**
 * A protobuf message in the making. Nothing is copied before the whole message is finished, as a prompt of megabytes
 * stands five messages deep.
 */
export class MessagePieces {
	readonly #pieces: Piece[] = [];
	#length = 0;

	get length(): number {
		return this.#length;
	}

	/** A field with content. What is embedded may not change any more. */
	embed(field: number, content: Uint8Array | MessagePieces): this {
		return this.#head(field, WireType.LengthDelimited, content.length).#add(content, content.length);
	}

	/** An empty text is left out, as everywhere in this protocol. */
	text(field: number, value: string): this {
		if (value === "") return this;
		const length = Buffer.byteLength(value);
		return this.#head(field, WireType.LengthDelimited, length).#add(value, length);
	}

	/** A field with a number that is not negative. */
	varint(field: number, value: number): this {
		return this.#head(field, WireType.Varint, value);
	}

	/** Bytes that are fields already, or the next piece of a text. */
	raw(bytes: Uint8Array): this {
		return this.#add(bytes, bytes.length);
	}

	finish(): Uint8Array {
		const bytes = Buffer.allocUnsafe(this.#length);
		this.#writeTo(bytes, 0);
		return bytes;
	}

	/** A tag, and the number behind it: a value, or the length of what follows. */
	#head(field: number, type: WireType, number: number): this {
		const tag = field * 8 + type;
		return this.#add(tag, varintLength(tag)).#add(number, varintLength(number));
	}

	#add(piece: Piece, length: number): this {
		this.#pieces.push(piece);
		this.#length += length;
		return this;
	}

	/** Returns where the next piece goes. */
	#writeTo(bytes: Buffer, start: number): number {
		let offset = start;
		for (const piece of this.#pieces) {
			if (typeof piece === "number") offset = writeVarint(bytes, offset, piece);
			else if (typeof piece === "string") offset += bytes.write(piece, offset);
			else if (piece instanceof MessagePieces) offset = piece.#writeTo(bytes, offset);
			else {
				bytes.set(piece, offset);
				offset += piece.length;
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
