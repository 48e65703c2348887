/**
 * Streaming UTF-8 decoder: the text of the pieces, joined, is the text of the joined bytes. A code point cut between
 * two pieces comes out whole with the second; invalid bytes become U+FFFD as in the WHATWG standard; a byte order
 * mark and NUL are kept, because they are part of what the model wrote.
 */
export class Utf8Decoder {
	#pending: Buffer = NO_BYTES;

	/** The text that is certain after these bytes. */
	push(bytes: Uint8Array): string {
		if (bytes.length === 0) return "";
		const all = this.#pending.length === 0 ? asBuffer(bytes) : Buffer.concat([this.#pending, bytes]);
		const certain = all.length - unfinishedTail(all);
		// A copy: a view would keep the whole chunk of the socket alive for three bytes.
		this.#pending = certain === all.length ? NO_BYTES : Buffer.from(all.subarray(certain));
		return all.toString("utf8", 0, certain);
	}

	/** The text of what is left at the end of the stream: a code point that was never completed. */
	end(): string {
		const rest = this.#pending;
		this.#pending = NO_BYTES;
		return rest.toString("utf8");
	}
}

const NO_BYTES = Buffer.alloc(0);

function asBuffer(bytes: Uint8Array): Buffer {
	return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Length of the tail that starts with a lead byte and lacks bytes. Splitting in front of a lead byte never changes the
 * result, so it does not matter here whether the tail could still become valid.
 */
function unfinishedTail(bytes: Uint8Array): number {
	const last = bytes.length - 1;
	if ((bytes[last] as number) < 0x80) return 0;
	for (let index = last; index >= 0 && index > last - 3; index--) {
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
