import { WireError } from "./errors.ts";
import { GrowingBuffer } from "./framing/growing-buffer.ts";
import type { HeaderMap, ResponseHead, StreamHandler, Transport, WireRequest, WireStream } from "./stream.ts";

/** A complete response. */
export interface UnaryResponse extends ResponseHead {
	body: Buffer;
	trailers: HeaderMap;
}

const DEFAULT_MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * One request with one body, one response with one body, over either HTTP version. Any status is a response; the
 * promise rejects with a `WireError` only if there is none, or if its body (still compressed) exceeds `maxBodyBytes`.
 */
export async function unary(
	transport: Transport,
	request: WireRequest,
	body: Uint8Array,
	maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
): Promise<UnaryResponse> {
	const collector = new Collector(maxBodyBytes);
	const headers = { ...request.headers, "content-length": String(body.length) };
	const stream = await transport.open({ ...request, headers }, collector);
	collector.stream = stream;
	if (body.length > 0) stream.write(body);
	stream.end();
	return collector.response;
}

class Collector implements StreamHandler {
	readonly response: Promise<UnaryResponse>;
	stream: WireStream | undefined;
	readonly #maxBytes: number;
	readonly #body = new GrowingBuffer();
	#head: ResponseHead = { status: 0, headers: {} };
	#resolve!: (response: UnaryResponse) => void;
	#reject!: (error: WireError) => void;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
		this.response = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		// It can be rejected before `unary` awaits it.
		this.response.catch(() => {});
	}

	onHead(head: ResponseHead): void {
		this.#head = head;
	}

	onData(chunk: Buffer): void {
		if (this.#body.length + chunk.length > this.#maxBytes) {
			this.#reject(new WireError("body-too-large", `the response exceeds ${this.#maxBytes} bytes`));
			this.stream?.cancel();
			return;
		}
		this.#body.append(chunk, this.#maxBytes);
	}

	onEnd(trailers: HeaderMap): void {
		this.#resolve({ ...this.#head, body: this.#body.take(), trailers });
	}

	onError(error: WireError): void {
		this.#reject(error);
	}
}
