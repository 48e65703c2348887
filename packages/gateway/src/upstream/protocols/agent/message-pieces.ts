import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/**
 * A protobuf message in the making. What is embedded is not copied before the whole message is finished, as a prompt of
 * megabytes stands five messages deep.
 */
export class MessagePieces {
	readonly #pieces: Uint8Array[] = [];
	#length = 0;

	/** A field with content. */
	embed(field: number, content: Uint8Array | MessagePieces): this {
		this.#add(new BinaryWriter().tag(field, WireType.LengthDelimited).uint32(content.length).finish());
		if (content instanceof MessagePieces) for (const piece of content.#pieces) this.#add(piece);
		else this.#add(content);
		return this;
	}

	/** An empty text is left out, as everywhere in this protocol. */
	text(field: number, value: string): this {
		return value === "" ? this : this.embed(field, Buffer.from(value));
	}

	/** Bytes that are fields already, or the next piece of a text. */
	raw(bytes: Uint8Array): this {
		this.#add(bytes);
		return this;
	}

	finish(): Uint8Array {
		return Buffer.concat(this.#pieces, this.#length);
	}

	#add(bytes: Uint8Array): void {
		this.#pieces.push(bytes);
		this.#length += bytes.length;
	}

	get length(): number {
		return this.#length;
	}
}
