import { encodeEnvelope } from "../../wire/envelope.ts";
import { WireError } from "../../wire/errors.ts";
import { CONNECT_FRAMING, type StreamFraming } from "../../wire/framing.ts";
import type { Transport, WireStream } from "../../wire/stream.ts";
import type { Channel, ChannelEnd, ChannelListener, ChannelRequest, OpenChannel } from "./channel.ts";
import { broken, ResponseReader } from "./response-reader.ts";

/** `Run` and its like: both halves on one HTTP/2 stream. */
export class H2DuplexChannel implements Channel {
	readonly name = "h2-duplex";
	readonly isHttp2 = true;
	readonly #transport: Transport;
	readonly #path: string;
	readonly #framing: StreamFraming;

	constructor(transport: Transport, path: string, framing = CONNECT_FRAMING) {
		this.#transport = transport;
		this.#path = path;
		this.#framing = framing;
	}

	open(request: ChannelRequest, first: Uint8Array | undefined, listener: ChannelListener): OpenChannel {
		const reader = new ResponseReader(listener, first?.length ?? 0, this.#framing);
		const stream = new DuplexStream(reader);
		if (first) stream.send(first);
		const headers = { ...request.headers, ...this.#framing.headers };
		this.#transport.open({ origin: request.origin, key: request.key, path: this.#path, headers }, reader).then(
			(opened) => stream.attach(opened),
			(error) => reader.fail(unreachable(error, request.origin)),
		);
		return stream;
	}
}

/** A cleartext server that does not speak HTTP/2 hangs up on its preface; there is no ALPN to say so. */
export function unreachable(error: unknown, origin: URL): ChannelEnd {
	const end = broken(error);
	const hungUp = origin.protocol === "http:" && error instanceof WireError && error.code === "connect-failed";
	return end.kind === "broken" && hungUp ? { ...end, fallback: true } : end;
}

/** Holds what is to be sent until the stream is there. */
class DuplexStream implements OpenChannel {
	readonly #reader: ResponseReader;
	#cancelled = false;
	#stream: WireStream | undefined;
	#early: Uint8Array[] = [];
	#paused = false;

	constructor(reader: ResponseReader) {
		this.#reader = reader;
	}

	attach(stream: WireStream): void {
		this.#stream = stream;
		if (this.#cancelled) return stream.cancel();
		for (const frame of this.#early) stream.write(frame);
		this.#early = [];
		if (this.#paused) stream.pause();
	}

	send(message: Uint8Array): void {
		const frame = encodeEnvelope(0, message);
		if (this.#stream) this.#stream.write(frame);
		else this.#early.push(frame);
	}

	pause(): void {
		this.#paused = true;
		this.#stream?.pause();
	}

	resume(): void {
		this.#paused = false;
		this.#stream?.resume();
	}

	cancel(): void {
		this.#reader.silence();
		this.#cancelled = true;
		this.#stream?.cancel();
	}
}
