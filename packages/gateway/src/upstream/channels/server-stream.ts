import { envelopeParts } from "../../wire/framing/envelope.ts";
import { CONNECT_FRAMING, type StreamFraming } from "../../wire/framing/framing.ts";
import type { Transport } from "../../wire/stream.ts";
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
		const stream = new ReadStream(reader);
		const headers = {
			...request.headers,
			...this.#framing.headers,
			...(!this.isHttp2 && { "x-cursor-streaming": "true" }),
		};
		const { origin, key } = request;
		openStream(
			this.#transport,
			{ origin, key, path: this.#path, headers, waitSignal: () => stream.waitSignal() },
			reader,
			(opened) => {
				for (const part of envelopeParts(0, first ?? new Uint8Array())) opened.write(part);
				opened.end();
				stream.attach(opened);
			},
			(error) => reader.fail(unreachable(error, origin)),
		);
		return stream;
	}
}

class ReadStream extends ReadHalf implements OpenChannel {
	send(): void {}
}
