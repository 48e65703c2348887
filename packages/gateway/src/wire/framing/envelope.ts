import { WireError } from "../errors.ts";
import { GrowingBuffer } from "./growing-buffer.ts";

// Envelopes: one byte of flags, four bytes of length (big-endian) and the payload. Connect streams and gRPC-Web share
// this form and differ in the flags. See "Enveloped-Message" in https://connectrpc.com/docs/protocol and
// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md.

/** Flag bits of the first byte of an envelope. */
export const EnvelopeFlag = {
	/** The payload is compressed with the coding named in the headers. */
	COMPRESSED: 0x01,
	/** Connect: the last envelope of a response. Its payload is JSON (EndStreamResponse). */
	END_STREAM: 0x02,
	/** gRPC-Web: the last envelope of a response. Its payload is the trailers, as lines of an HTTP/1 header block. */
	TRAILER: 0x80,
} as const;

/** The flags that a Connect stream may use. All other bits are reserved. */
export const CONNECT_FLAGS = EnvelopeFlag.COMPRESSED | EnvelopeFlag.END_STREAM;
/** The flags that a gRPC-Web stream may use. */
export const GRPC_WEB_FLAGS = EnvelopeFlag.COMPRESSED | EnvelopeFlag.TRAILER;

/** One message of a stream, still compressed if its flag says so. */
export interface Envelope {
	flags: number;
	payload: Uint8Array;
}

/** Limits of an `EnvelopeReader`. */
export interface EnvelopeReaderOptions {
	/** The largest payload that a header may declare. Default 16 MiB. */
	maxPayloadBytes?: number;
	/** The bits that may be set; any other bit is a protocol error. Default `CONNECT_FLAGS`. */
	allowedFlags?: number;
}

const HEADER_BYTES = 5;
const NO_BYTES = new Uint8Array();
/** What a reader has before its first chunk; never added to. */
const NO_CHUNKS: Uint8Array[] = [];
export const DEFAULT_MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

/** Payloads up to this size are copied, so that the envelope needs a single write. */
const MAX_COPIED_BYTES = 64 * 1024;

/** The parts of one envelope to write: a single buffer for a short payload; a long payload is not copied. */
export function envelopeParts(flags: number, payload: Uint8Array): Uint8Array[] {
	if (payload.length <= MAX_COPIED_BYTES) return [encodeEnvelope(flags, payload)];
	const header = Buffer.allocUnsafe(HEADER_BYTES);
	header[0] = flags;
	header.writeUInt32BE(payload.length, 1);
	return [header, payload];
}

/** The bytes of one envelope in a single buffer, so that it leaves in a single write. */
export function encodeEnvelope(flags: number, payload: Uint8Array): Buffer {
	const bytes = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
	bytes[0] = flags;
	bytes.writeUInt32BE(payload.length, 1);
	bytes.set(payload, HEADER_BYTES);
	return bytes;
}

/**
 * Splits a byte stream into envelopes. Every byte is read once and copied a constant number of times at most, however
 * the stream is divided into chunks.
 *
 * A payload that lies within one chunk is a view of that chunk. A payload that spans chunks is collected in a buffer
 * that doubles as bytes arrive: the declared length is only a claim, so no memory is reserved for it.
 *
 * Usage: `push` a chunk, then call `next` until it returns undefined, and call `finish` at the end of the body. `advance`
 * is `next` without the objects: the envelope is then the bytes from `start` to `end`.
 * Once an error was thrown, every later call throws it again, because the stream cannot be read any further.
 */
export class EnvelopeReader {
	readonly #maxPayloadBytes: number;
	readonly #allowedFlags: number;
	#chunks = NO_CHUNKS;
	#chunkIndex = 0;
	#offset = 0;
	/** A payload that spans chunks, so far. Few do. */
	#body: GrowingBuffer | undefined;
	/** A header that spans chunks, so far. */
	#header: Uint8Array | undefined;
	#headerFill = 0;
	#length = 0;
	#bytes: Uint8Array = NO_BYTES;
	#start = 0;
	#end = 0;
	#flags = 0;
	#failure: WireError | undefined;

	constructor(options: EnvelopeReaderOptions = {}) {
		this.#maxPayloadBytes = options.maxPayloadBytes ?? DEFAULT_MAX_PAYLOAD_BYTES;
		this.#allowedFlags = options.allowedFlags ?? CONNECT_FLAGS;
	}

	/** How many bytes were copied so far, as a measure of this reader's work. */
	get bytesCopied(): number {
		return this.#body?.bytesCopied ?? 0;
	}

	/** Takes the next piece of the stream. The chunk must not be changed afterwards. */
	push(chunk: Uint8Array): void {
		if (chunk.length === 0) return;
		// A list that begins with its first chunk takes no more memory than that: V8 makes room for seventeen otherwise.
		if (this.#chunks.length === 0) this.#chunks = [chunk];
		else this.#chunks.push(chunk);
	}

	/** The flags of the envelope that `advance` came to. */
	get flags(): number {
		return this.#flags;
	}

	/** Where its payload lies: in these bytes, from `start` to `end`. */
	get bytes(): Uint8Array {
		return this.#bytes;
	}

	get start(): number {
		return this.#start;
	}

	get end(): number {
		return this.#end;
	}

	/** The next complete envelope, or undefined if more bytes are needed. */
	next(): Envelope | undefined {
		return this.advance() ? { flags: this.#flags, payload: this.#bytes.subarray(this.#start, this.#end) } : undefined;
	}

	/** Goes to the next complete envelope. False if more bytes are needed. */
	advance(): boolean {
		if (this.#failure !== undefined) throw this.#failure;
		for (;;) {
			const chunk = this.#chunks[this.#chunkIndex];
			if (chunk === undefined) {
				this.#forgetChunks();
				return false;
			}
			const isComplete = this.#readFrom(chunk);
			if (this.#offset === chunk.length) {
				this.#chunkIndex++;
				this.#offset = 0;
			}
			if (isComplete) return true;
		}
	}

	/** To be called at the end of the body. An incomplete envelope is an error. */
	finish(): void {
		if (this.#failure !== undefined) throw this.#failure;
		const isAtBoundary = this.#headerFill === 0 && this.#chunkIndex === this.#chunks.length;
		if (!isAtBoundary) throw this.#fail(new WireError("truncated-frame", "the body ended inside an envelope"));
	}

	/** How much there is of a payload that spans chunks. */
	get #gathered(): number {
		return this.#body === undefined ? 0 : this.#body.length;
	}

	/** Whether an envelope is complete. */
	#readFrom(chunk: Uint8Array): boolean {
		if (this.#headerFill < HEADER_BYTES && !this.#readHeader(chunk)) return false;
		const isWhole = this.#gathered === 0 && this.#length <= chunk.length - this.#offset;
		if (isWhole) {
			const start = this.#offset;
			this.#offset += this.#length;
			this.#found(chunk, start, this.#offset);
			return true;
		}
		this.#gather(chunk);
		if (this.#gathered < this.#length) return false;
		this.#found(this.#body!.take(), 0, this.#length);
		return true;
	}

	/** Returns true when the header is complete. Its flags and length are then known and checked. */
	#readHeader(chunk: Uint8Array): boolean {
		if (this.#headerFill === 0 && chunk.length - this.#offset >= HEADER_BYTES) {
			this.#parseHeader(chunk, this.#offset);
			this.#offset += HEADER_BYTES;
			this.#headerFill = HEADER_BYTES;
			return true;
		}
		this.#header ??= new Uint8Array(HEADER_BYTES);
		while (this.#headerFill < HEADER_BYTES) {
			if (this.#offset === chunk.length) return false;
			this.#header[this.#headerFill++] = chunk[this.#offset++] as number;
		}
		this.#parseHeader(this.#header, 0);
		return true;
	}

	#parseHeader(bytes: Uint8Array, at: number): void {
		this.#flags = bytes[at] as number;
		this.#length =
			(((bytes[at + 1] as number) << 24) |
				((bytes[at + 2] as number) << 16) |
				((bytes[at + 3] as number) << 8) |
				(bytes[at + 4] as number)) >>>
			0;
		this.#checkHeader();
	}

	#checkHeader(): void {
		if ((this.#flags & ~this.#allowedFlags) !== 0) {
			const flags = this.#flags.toString(16).padStart(2, "0");
			throw this.#fail(new WireError("reserved-flags", `envelope with reserved flag bits: 0x${flags}`));
		}
		if (this.#length > this.#maxPayloadBytes) {
			const text = `envelope declares ${this.#length} bytes, the limit is ${this.#maxPayloadBytes}`;
			throw this.#fail(new WireError("frame-too-large", text));
		}
	}

	#gather(chunk: Uint8Array): void {
		const start = this.#offset;
		this.#offset = Math.min(chunk.length, start + this.#length - this.#gathered);
		this.#body ??= new GrowingBuffer();
		this.#body.append(chunk.subarray(start, this.#offset), this.#length);
	}

	#found(bytes: Uint8Array, start: number, end: number): void {
		this.#headerFill = 0;
		this.#bytes = bytes;
		this.#start = start;
		this.#end = end;
	}

	#forgetChunks(): void {
		this.#chunks = NO_CHUNKS;
		this.#chunkIndex = 0;
		this.#bytes = NO_BYTES;
	}

	#fail(error: WireError): WireError {
		this.#failure = error;
		this.#forgetChunks();
		this.#body?.take();
		return error;
	}
}
