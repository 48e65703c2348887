import { setMaxListeners } from "node:events";
import { create, toBinary } from "@bufbuild/protobuf";
import { BidiAppendRequestSchema, BidiRequestIdSchema } from "@cursorwire/protocol/aiserver";
import { encodeEnvelope } from "../../wire/framing/envelope.ts";
import { CONNECT_FRAMING, type StreamFraming } from "../../wire/framing/framing.ts";
import type { Transport, WireStream } from "../../wire/stream.ts";
import { type UnaryResponse, unary } from "../../wire/unary.ts";
import { decodeHttpError } from "../errors/decode-http-error.ts";
import type { Channel, ChannelListener, ChannelRequest, OpenChannel } from "./channel.ts";
import { openStream } from "./open-stream.ts";
import { ReadHalf } from "./read-half.ts";
import { broken, ResponseReader } from "./response-reader.ts";

const APPEND_PATH = "/aiserver.v1.BidiService/BidiAppend";
/** The number that Cursor's own client keeps in flight. */
const MOST_APPENDS = 16;
const TOKEN_REFUSED = 401;
const APPEND_DEADLINE_MS = 60_000;
const APPEND_BYTES_PER_MS = 131.072;

/**
 * `RunSSE` and similar methods with `BidiAppend`: the server's half is one streamed response, and each message of ours
 * is a request of its own.
 */
export class SseAppendChannel implements Channel {
	readonly name = "sse-append";
	readonly isHttp2 = false;
	readonly #transport: Transport;
	readonly #path: string;
	readonly #framing: StreamFraming;

	constructor(transport: Transport, path: string, framing = CONNECT_FRAMING) {
		this.#transport = transport;
		this.#path = path;
		this.#framing = framing;
	}

	open(request: ChannelRequest, first: Uint8Array | undefined, listener: ChannelListener): OpenChannel {
		const requestId = request.headers["x-request-id"] ?? "";
		const reader = new ResponseReader(
			{
				message: (bytes, start, end) => listener.message(bytes, start, end),
				batchEnd: (isLast) => listener.batchEnd(isLast),
				ended: (end) => {
					stream.stopAppending();
					listener.ended(end);
				},
			},
			first?.length ?? 0,
			this.#framing,
		);
		const stream = new AppendedStream(this.#transport, request, requestId, reader);
		const headers = { ...request.headers, ...this.#framing.headers, "x-cursor-streaming": "true" };
		const { origin, key } = request;
		openStream(this.#transport, { origin, key, path: this.#path, headers, waiter: stream }, reader, stream);
		if (first) stream.send(first);
		return stream;
	}
}

/** Numbers the appends. The server puts them in order, so several can be in flight. */
class AppendedStream extends ReadHalf implements OpenChannel {
	readonly #transport: Transport;
	readonly #request: ChannelRequest;
	readonly #requestId: string;
	#headers: Readonly<Record<string, string>>;
	readonly #waiting: Uint8Array[] = [];
	readonly #stopAppends = new AbortController();
	#underWay = 0;
	/** Bytes of messages that are waiting or in flight. */
	#unsent = 0;
	#drained: (() => void) | undefined;
	#seqno = 0n;

	constructor(transport: Transport, request: ChannelRequest, requestId: string, reader: ResponseReader) {
		super(reader);
		this.#transport = transport;
		this.#request = request;
		this.#headers = request.headers;
		// Every append in flight listens to this signal.
		setMaxListeners(0, this.#stopAppends.signal);
		this.#requestId = requestId;
	}

	send(message: Uint8Array): void {
		this.#waiting.push(message);
		this.#unsent += message.length;
		this.#sendWaiting();
		this.holdIfFull(this.#unsent, this);
	}

	/** Resolves when all messages have been taken. */
	drained(): Promise<void> {
		return new Promise((resolve) => {
			this.#drained = resolve;
		});
	}

	/** The run is over, so appends in flight are no longer needed. */
	stopAppending(): void {
		this.#waiting.length = 0;
		this.#stopAppends.abort();
	}

	override cancel(): void {
		super.cancel();
		this.stopAppending();
	}

	override attach(stream: WireStream): void {
		const id = toBinary(BidiRequestIdSchema, create(BidiRequestIdSchema, { requestId: this.#requestId }));
		stream.write(encodeEnvelope(0, id));
		stream.end();
		super.attach(stream);
	}

	override unopened(error: unknown): void {
		this.fail(error);
	}

	/** Ends the whole run, whichever half broke. */
	fail(error: unknown): void {
		this.reader.fail(broken(error));
		this.cancel();
	}

	#sendWaiting(): void {
		while (this.#underWay < MOST_APPENDS && this.#waiting.length > 0 && !this.#stopAppends.signal.aborted) {
			const message = this.#waiting.shift()!;
			this.#underWay += 1;
			this.#append(message).then(
				() => {
					this.#underWay -= 1;
					this.#unsent -= message.length;
					if (this.#unsent === 0) this.#drained?.();
					this.#sendWaiting();
				},
				(error) => this.#stopAppends.signal.aborted || this.fail(error),
			);
		}
	}

	/** An append that may have arrived is never repeated. One that was refused for its token has not arrived. */
	async #append(message: Uint8Array): Promise<void> {
		const data = Buffer.from(message.buffer, message.byteOffset, message.length).toString("hex");
		const body = toBinary(
			BidiAppendRequestSchema,
			create(BidiAppendRequestSchema, {
				requestId: { requestId: this.#requestId },
				appendSeqno: this.#seqno++,
				data,
			}),
		);
		const deadlineMs = APPEND_DEADLINE_MS + Math.ceil(data.length / APPEND_BYTES_PER_MS);
		let response = await this.#call(body, deadlineMs);
		if (response.status === TOKEN_REFUSED) {
			this.#headers = await this.#request.renewHeaders();
			response = await this.#call(body, deadlineMs);
		}
		if (response.status !== 200) throw decodeHttpError(response);
	}

	#call(body: Uint8Array, deadlineMs: number): Promise<UnaryResponse> {
		const headers = {
			...this.#headers,
			"content-type": "application/proto",
			"connect-protocol-version": "1",
			"connect-timeout-ms": String(deadlineMs),
			"accept-encoding": "gzip,br",
			"x-cursor-streaming": "true",
		};
		const { origin, key } = this.#request;
		const call = { origin, key, path: APPEND_PATH, headers, deadlineMs, signal: this.#stopAppends.signal };
		return unary(this.#transport, call, body);
	}
}
