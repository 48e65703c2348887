import { envelopeParts } from "../../wire/framing/envelope.ts";
import { CONNECT_FRAMING, type StreamFraming } from "../../wire/framing/framing.ts";
import type { Transport, WireStream } from "../../wire/stream.ts";
import type { Channel, ChannelListener, ChannelRequest, OpenChannel } from "./channel.ts";
import { unreachable } from "./h2-duplex.ts";
import { openStream } from "./open-stream.ts";
import { ReadHalf } from "./read-half.ts";
import { ResponseReader } from "./response-reader.ts";

export interface ServerStreamOptions {
	isHttp2: boolean;
	framing?: StreamFraming;
}

/** Sends one message and receives a stream. Nothing can be sent after the first message; later ones are dropped. */
export class ServerStreamChannel implements Channel {
	readonly name = "server-stream";
	readonly isHttp2: boolean;
	readonly #transport: Transport;
	readonly #path: string;
	readonly #framing: StreamFraming;

	constructor(transport: Transport, path: string, { isHttp2, framing = CONNECT_FRAMING }: ServerStreamOptions) {
		this.#transport = transport;
		this.#path = path;
		this.isHttp2 = isHttp2;
		this.#framing = framing;
	}

	open(request: ChannelRequest, first: Uint8Array | undefined, listener: ChannelListener): OpenChannel {
		const reader = new ResponseReader(listener, first?.length ?? 0, this.#framing);
		const { origin, key } = request;
		const stream = new ReadStream(reader, origin, first);
		const headers = {
			...request.headers,
			...this.#framing.headers,
			...(!this.isHttp2 && { "x-cursor-streaming": "true" }),
		};
		openStream(this.#transport, { origin, key, path: this.#path, headers, waiter: stream }, reader, stream);
		return stream;
	}
}

const NOTHING: Uint8Array = new Uint8Array();

class ReadStream extends ReadHalf implements OpenChannel {
	readonly #origin: URL;
	/** Until it is sent. */
	#request: Uint8Array;

	constructor(reader: ResponseReader, origin: URL, request = NOTHING) {
		super(reader);
		this.#origin = origin;
		this.#request = request;
	}

	override attach(stream: WireStream): void {
		for (const part of envelopeParts(0, this.#request)) stream.write(part);
		this.#request = NOTHING;
		stream.end();
		super.attach(stream);
	}

	override unopened(error: unknown): void {
		this.reader.fail(unreachable(error, this.#origin));
	}

	send(): void {}
}
