import { AsciiSlices } from "./ascii-slices.ts";

/**
 * Streaming UTF-8 decoder: the decoded pieces together are the text of all bytes together. A code point that is cut
 * between two pieces is returned with the second one. Invalid bytes become U+FFFD as in the WHATWG Encoding standard. A
 * byte order mark and NUL are kept, because they are part of what the model wrote.
 */
export class Utf8Decoder {
	#pending: Buffer = NO_BYTES;

	/** Returns the text that is certain after these bytes, of which only those from `start` to `end` count. */
	push(bytes: Uint8Array, start = 0, end = bytes.length): string {
		if (start === end) return "";
		if (this.#pending.length > 0) return this.#decode(Buffer.concat([this.#pending, bytes.subarray(start, end)]));
		return ascii.text(bytes, start, end) ?? this.#decode(asBuffer(bytes), start, end);
	}

	#decode(bytes: Buffer, start = 0, end = bytes.length): string {
		const certain = end - unfinishedTail(bytes, start, end);
		// Copied, because a view would keep the whole chunk of the socket alive for up to three bytes.
		this.#pending = certain === end ? NO_BYTES : Buffer.from(bytes.subarray(certain, end));
		return bytes.toString("utf8", start, certain);
	}

	/** Returns the text of what is left at the end of the stream: a code point that was never completed. */
	end(): string {
		const rest = this.#pending;
		this.#pending = NO_BYTES;
		return rest.toString("utf8");
	}
}

const NO_BYTES = Buffer.alloc(0);
/** One for all decoders: each gets the texts of one buffer in one go, and only the newest buffer is kept alive. */
const ascii = new AsciiSlices();

function asBuffer(bytes: Uint8Array): Buffer {
	return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * The length of the last sequence if it is incomplete. Splitting before a lead byte never changes the result, so it
 * does not matter whether the sequence could still become valid.
 */
function unfinishedTail(bytes: Uint8Array, start: number, end: number): number {
	const last = end - 1;
	if ((bytes[last] as number) < 0x80) return 0;
	for (let index = last; index >= start && index > last - 3; index--) {
		const byte = bytes[index] as number;
		if ((byte & 0b1100_0000) === 0b1000_0000) continue;
		const tail = last - index + 1;
		return tail < sequenceLength(byte) ? tail : 0;
	}
	return 0;
}

function sequenceLength(lead: number): number {
	if (lead >= 0b1111_0000) return 4;
	if (lead >= 0b1110_0000) return 3;
	return lead >= 0b1100_0000 ? 2 : 1;
}
