// Enveloped messages: one byte of flags, four bytes of length, then the payload. See docs/protocol.md, Framing;
// "Streaming RPCs" in https://connectrpc.com/docs/protocol; and gRPC's PROTOCOL-WEB.md for the flag of its trailers.

/** Flag bits of an envelope. */
export const FLAG = { compressed: 0x01, endStream: 0x02, grpcWebTrailer: 0x80 } as const;

export interface Envelope {
	flags: number;
	payload: Buffer;
}

export function encodeEnvelope(flags: number, payload: Uint8Array): Buffer {
	const frame = Buffer.allocUnsafe(5 + payload.length);
	frame[0] = flags;
	frame.writeUInt32BE(payload.length, 1);
	frame.set(payload, 5);
	return frame;
}

/** Puts envelopes together from chunks that are cut anywhere. Joins chunks once per envelope, not once per chunk. */
export class EnvelopeReader {
	readonly #maxLength: number;
	#chunks: Buffer[] = [];
	#size = 0;

	constructor(maxLength: number) {
		this.#maxLength = maxLength;
	}

	/** How many bytes wait for the rest of their envelope. */
	get pending(): number {
		return this.#size;
	}

	push(chunk: Buffer): void {
		if (chunk.length === 0) return;
		this.#chunks.push(chunk);
		this.#size += chunk.length;
	}

	next(): Envelope | undefined {
		if (this.#size < 5) return undefined;
		if (this.#chunks[0]!.length < 5) this.#chunks = [Buffer.concat(this.#chunks)];
		const head = this.#chunks[0]!;
		const length = head.readUInt32BE(1);
		if (length > this.#maxLength) throw new RangeError(`message of ${length} bytes is over ${this.#maxLength}`);
		if (this.#size < 5 + length) return undefined;
		const all = this.#chunks.length === 1 ? head : Buffer.concat(this.#chunks);
		const rest = all.subarray(5 + length);
		this.#chunks = rest.length > 0 ? [rest] : [];
		this.#size = rest.length;
		return { flags: all[0]!, payload: all.subarray(5, 5 + length) };
	}
}
