// A Connect client for streams, put together from the wire layer as a channel would do it.

import type { WireError } from "../../../src/wire/errors.ts";
import { inflateEnvelope } from "../../../src/wire/framing/compression.ts";
import { type EndStream, parseEndStream } from "../../../src/wire/framing/end-stream.ts";
import { EnvelopeFlag, EnvelopeReader, encodeEnvelope } from "../../../src/wire/framing/envelope.ts";
import type { HeaderMap, ResponseHead, StreamHandler, Transport, WireStream } from "../../../src/wire/stream.ts";
import { decodeText, encodeText } from "./echo-service.ts";

/** Receives a Connect stream of texts. */
export class TextStream implements StreamHandler {
	readonly texts: string[] = [];
	readonly finished: Promise<EndStream>;
	head: ResponseHead | undefined;
	/** How many envelopes had the compressed flag. */
	compressed = 0;
	/** Called for each text after it was recorded. */
	onText: (text: string) => void = () => {};
	readonly #reader = new EnvelopeReader();
	#end: EndStream | undefined;
	#resolve!: (end: EndStream) => void;
	#reject!: (error: unknown) => void;

	constructor() {
		this.finished = new Promise((resolve, reject) => {
			this.#resolve = resolve;
			this.#reject = reject;
		});
		this.finished.catch(() => {});
	}

	onHead(head: ResponseHead): void {
		this.head = head;
	}

	onData(chunk: Buffer): void {
		this.#reader.push(chunk);
		for (let envelope = this.#reader.next(); envelope !== undefined; envelope = this.#reader.next()) {
			const coding = this.head?.headers["connect-content-encoding"] as string | undefined;
			const message = inflateEnvelope(envelope, coding);
			if (envelope.flags & EnvelopeFlag.COMPRESSED) this.compressed++;
			if (envelope.flags & EnvelopeFlag.END_STREAM) {
				this.#end = parseEndStream(message);
			} else {
				const text = decodeText(message);
				this.texts.push(text);
				this.onText(text);
			}
		}
	}

	onEnd(_trailers: HeaderMap): void {
		try {
			this.#reader.finish();
			if (this.#end === undefined) throw new Error("the stream ended without an end-of-stream envelope");
			this.#resolve(this.#end);
		} catch (error) {
			this.#reject(error);
		}
	}

	onError(error: WireError): void {
		this.#reject(error);
	}
}

/** Opens a stream of texts. */
export async function openTexts(
	transport: Transport,
	origin: URL,
	path: string,
	received: TextStream,
	headers: Readonly<Record<string, string>> = {},
): Promise<WireStream> {
	const connect = { "content-type": "application/connect+proto", "connect-protocol-version": "1" };
	return transport.open({ origin, key: "account", path, headers: { ...connect, ...headers } }, received);
}

export function sendText(stream: WireStream, text: string): void {
	stream.write(encodeEnvelope(0, encodeText(text)));
}
