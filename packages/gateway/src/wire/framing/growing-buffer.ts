const NO_BYTES = Buffer.alloc(0);

/**
 * Collects bytes in one buffer that doubles as they arrive. Every byte is copied a constant number of times on average,
 * and the pieces themselves are not kept: a list of one-byte chunks would use a hundred times the memory.
 */
export class GrowingBuffer {
	#bytes: Buffer = NO_BYTES;
	#length = 0;
	#bytesCopied = 0;

	get length(): number {
		return this.#length;
	}

	/** The total number of bytes copied, for tests that measure the work. */
	get bytesCopied(): number {
		return this.#bytesCopied;
	}

	/** Adds bytes. `ceiling` is the largest size that the content can reach; the buffer does not double beyond it. */
	append(bytes: Uint8Array, ceiling = Number.POSITIVE_INFINITY): void {
		const needed = this.#length + bytes.length;
		if (needed > this.#bytes.length) this.#grow(Math.max(needed, Math.min(ceiling, this.#bytes.length * 2)));
		this.#bytes.set(bytes, this.#length);
		this.#bytesCopied += bytes.length;
		this.#length = needed;
	}

	/** Returns the content and starts again with an empty buffer. */
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
