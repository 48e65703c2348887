const NO_BYTES = Buffer.alloc(0);

/**
 * Gathers bytes in one buffer that doubles as they come. Every byte is copied a constant number of times on average,
 * and the pieces themselves are let go: a list of one-byte chunks would cost a hundred times its content.
 */
export class GrowingBuffer {
	#bytes: Buffer = NO_BYTES;
	#length = 0;
	#bytesCopied = 0;

	get length(): number {
		return this.#length;
	}

	/** Work done since the beginning, for tests of its growth. */
	get bytesCopied(): number {
		return this.#bytesCopied;
	}

	/** Adds bytes. `ceiling` is the most this content can become; doubling stops there. */
	append(bytes: Uint8Array, ceiling = Number.POSITIVE_INFINITY): void {
		const needed = this.#length + bytes.length;
		if (needed > this.#bytes.length) this.#grow(Math.max(needed, Math.min(ceiling, this.#bytes.length * 2)));
		this.#bytes.set(bytes, this.#length);
		this.#bytesCopied += bytes.length;
		this.#length = needed;
	}

	/** Hands the content over and starts anew. */
	take(): Buffer {
		const content = this.#bytes.subarray(0, this.#length);
		this.#bytes = NO_BYTES;
		this.#length = 0;
		return content;
	}

	#grow(capacity: number): void {
		const grown = Buffer.allocUnsafe(capacity);
		grown.set(this.#bytes.subarray(0, this.#length));
		this.#bytesCopied += this.#length;
		this.#bytes = grown;
	}
}
