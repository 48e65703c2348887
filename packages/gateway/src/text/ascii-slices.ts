/** How many bytes become one string. A slice keeps the whole string alive, so this is not much. */
const WINDOW_BYTES = 2_048;

/**
 * Short texts out of one buffer, as long as they are ASCII. Making a string from bytes is a call into native code, which
 * costs more than the bytes of a short text do; so one string is made for many of them, and they are slices of it.
 */
export class AsciiSlices {
	#bytes: Uint8Array | undefined;
	#window = "";
	#windowStart = 0;

	/** Undefined where this is not the way: a byte that is not ASCII, a long text, or the first text of a buffer. */
	text(bytes: Uint8Array, start: number, end: number): string | undefined {
		if (bytes !== this.#bytes) {
			// Many buffers hold a single text.
			this.#bytes = bytes;
			this.#windowStart = Number.POSITIVE_INFINITY;
			return undefined;
		}
		if (end - start > WINDOW_BYTES || !isAscii(bytes, start, end)) return undefined;
		const windowEnd = this.#windowStart + this.#window.length;
		if (start < this.#windowStart || end > windowEnd) this.#moveWindow(bytes, start);
		return this.#window.slice(start - this.#windowStart, end - this.#windowStart);
	}

	#moveWindow(bytes: Uint8Array, start: number): void {
		const view = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
		this.#windowStart = start;
		this.#window = view.toString("latin1", start, Math.min(bytes.length, start + WINDOW_BYTES));
	}
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
	let all = 0;
	for (let index = start; index < end; index++) all |= bytes[index] as number;
	return all < 0x80;
}
