import { WireError } from "../errors.ts";
import { GrowingBuffer } from "./growing-buffer.ts";

/** Flag bits of the first byte of an envelope. */
export const EnvelopeFlag = {
	/** The payload is compressed with the coding named in the headers. */
	COMPRESSED: 0x01,
	/** Connect: last envelope of a response, the payload is JSON. */
	END_STREAM: 0x02,
	/** grpc-web: last envelope of a response, the payload is a block of HTTP/1 style headers. */
	TRAILER: 0x80,
} as const;

/** Flags a Connect stream may use; every other bit is reserved. */
export const CONNECT_FLAGS = EnvelopeFlag.COMPRESSED | EnvelopeFlag.END_STREAM;
/** Flags a grpc-web stream may use. */
export const GRPC_WEB_FLAGS = EnvelopeFlag.COMPRESSED | EnvelopeFlag.TRAILER;

/** One message of a stream, still compressed if the flag says so. */
export interface Envelope {
	flags: number;
	payload: Uint8Array;
}

/** Limits of an `EnvelopeReader`. */
export interface EnvelopeReaderOptions {
	/** Largest payload length a header may declare. Default 16 MiB. */
	maxPayloadBytes?: number;
	/** Bits that may be set; a header with any other is a protocol error. Default `CONNECT_FLAGS`. */
	allowedFlags?: number;
}

const HEADER_BYTES = 5;
export const DEFAULT_MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

/** So much is copied for the sake of a single write. */
const COPIED_BYTES = 64 * 1024;

/** One envelope as it is to be written: a short one in a single buffer, a long one without being copied for that. */
export function envelopeParts(flags: number, payload: Uint8Array): Uint8Array[] {
	if (payload.length <= COPIED_BYTES) return [encodeEnvelope(flags, payload)];
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
 * Cuts a byte stream into envelopes. Every byte is looked at once and copied at most a constant number of times,
 * however the stream was cut into chunks.
 *
 * A payload that lies within one chunk is a view of that chunk. One that spans chunks is gathered in a buffer that
 * doubles with the bytes that really came: the declared length is a claim and reserves nothing.
 *
 * Use: `push` a chunk, then call `next` until it returns undefined; `finish` at the end of the body.
 * Once an error was thrown every later call throws it again: the stream cannot be read any further.
 */
export class EnvelopeReader {
	readonly #maxPayloadBytes: number;
	readonly #allowedFlags: number;
	#chunks: Uint8Array[] = [];
	#chunkIndex = 0;
	#offset = 0;
	readonly #body = new GrowingBuffer();
	readonly #header = new Uint8Array(HEADER_BYTES);
	#headerFill = 0;
	#flags = 0;
	#length = 0;
	#failure: WireError | undefined;

	constructor(options: EnvelopeReaderOptions = {}) {
		this.#maxPayloadBytes = options.maxPayloadBytes ?? DEFAULT_MAX_PAYLOAD_BYTES;
		this.#allowedFlags = options.allowedFlags ?? CONNECT_FLAGS;
	}

	/** How many bytes were copied so far; the measure of this reader's work. */
	get bytesCopied(): number {
		return this.#body.bytesCopied;
	}

	/** Takes the next piece of the stream. The chunk must not be changed afterwards. */
	push(chunk: Uint8Array): void {
		if (chunk.length > 0) this.#chunks.push(chunk);
	}

	/** The next complete envelope, or undefined if more bytes are needed. */
	next(): Envelope | undefined {
		if (this.#failure !== undefined) throw this.#failure;
		for (;;) {
			const chunk = this.#chunks[this.#chunkIndex];
			if (chunk === undefined) {
				this.#forgetChunks();
				return undefined;
			}
			const envelope = this.#readFrom(chunk);
			if (this.#offset === chunk.length) {
				this.#chunkIndex++;
				this.#offset = 0;
			}
			if (envelope !== undefined) return envelope;
		}
	}

	/** Call at the end of the body: bytes without a whole envelope are an error. */
	finish(): void {
		if (this.#failure !== undefined) throw this.#failure;
		const isAtBoundary = this.#headerFill === 0 && this.#chunkIndex === this.#chunks.length;
		if (!isAtBoundary) throw this.#fail(new WireError("truncated-frame", "the body ended inside an envelope"));
	}

	#readFrom(chunk: Uint8Array): Envelope | undefined {
		if (this.#headerFill < HEADER_BYTES && !this.#readHeader(chunk)) return undefined;
		const isWhole = this.#body.length === 0 && this.#length <= chunk.length - this.#offset;
		if (isWhole) {
			const start = this.#offset;
			this.#offset += this.#length;
			return this.#emit(chunk.subarray(start, this.#offset));
		}
		this.#gather(chunk);
		return this.#body.length === this.#length ? this.#emit(this.#body.take()) : undefined;
	}

	/** True when the header is complete; then the flags and the length are checked and known. */
	#readHeader(chunk: Uint8Array): boolean {
		if (this.#headerFill === 0 && chunk.length - this.#offset >= HEADER_BYTES) {
			this.#parseHeader(chunk, this.#offset);
			this.#offset += HEADER_BYTES;
			this.#headerFill = HEADER_BYTES;
			return true;
		}
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
		this.#offset = Math.min(chunk.length, start + this.#length - this.#body.length);
		this.#body.append(chunk.subarray(start, this.#offset), this.#length);
	}

	#emit(payload: Uint8Array): Envelope {
		this.#headerFill = 0;
		return { flags: this.#flags, payload };
	}

	#forgetChunks(): void {
		this.#chunks.length = 0;
		this.#chunkIndex = 0;
	}

	#fail(error: WireError): WireError {
		this.#failure = error;
		this.#forgetChunks();
		this.#body.take();
		return error;
	}
}
