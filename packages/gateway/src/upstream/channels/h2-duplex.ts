import { WireError } from "../../wire/errors.ts";
import { envelopeParts } from "../../wire/framing/envelope.ts";
import { CONNECT_FRAMING, framedHeaders, type StreamFraming } from "../../wire/framing/framing.ts";
import type { Transport, WireStream } from "../../wire/stream.ts";
import type { Channel, ChannelEnd, ChannelListener, ChannelRequest, OpenChannel } from "./channel.ts";
import { openStream } from "./open-stream.ts";
import { ReadHalf } from "./read-half.ts";
import { broken, ResponseReader } from "./response-reader.ts";

/** `Run` and similar methods, with both directions on one HTTP/2 stream. */
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
		const { origin, key } = request;
		const stream = new DuplexStream(reader, origin);
		const headers = framedHeaders(request.headers, this.#framing);
		openStream(this.#transport, { origin, key, path: this.#path, headers, waiter: stream }, reader, stream);
		// Written at once if the stream is open, and as soon as it is otherwise.
		if (first) stream.send(first);
		return stream;
	}
}

/** A cleartext server without HTTP/2 hangs up on the connection preface, since there is no ALPN to negotiate with. */
export function unreachable(error: unknown, origin: URL): ChannelEnd {
	const end = broken(error);
	const hungUp = origin.protocol === "http:" && error instanceof WireError && error.code === "connect-failed";
	return end.kind === "broken" && hungUp ? { ...end, fallback: true } : end;
}

const NOTHING: readonly Uint8Array[] = [];

/** Buffers outgoing messages until the stream is open. */
class DuplexStream extends ReadHalf implements OpenChannel {
	readonly #origin: URL;
	#stream: WireStream | undefined;
	#early: readonly Uint8Array[] = NOTHING;

	constructor(reader: ResponseReader, origin: URL) {
		super(reader);
		this.#origin = origin;
	}

	override unopened(error: unknown): void {
		this.reader.fail(unreachable(error, this.#origin));
	}

	override attach(stream: WireStream): void {
		super.attach(stream);
		this.#stream = stream;
		for (const part of this.#early) this.#write(stream, part);
		this.#early = NOTHING;
	}

	send(message: Uint8Array): void {
		for (const part of envelopeParts(0, message)) {
			if (this.#stream) this.#write(this.#stream, part);
			else this.#early = [...this.#early, part];
		}
	}

	#write(stream: WireStream, part: Uint8Array): void {
		stream.write(part);
		this.holdIfFull(stream.unsent, stream);
	}
}
