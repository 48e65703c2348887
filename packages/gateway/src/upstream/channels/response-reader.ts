import { GatewayError } from "../../turn/error.ts";
import { inflateEnvelope } from "../../wire/compression.ts";
import type { EndStream } from "../../wire/end-stream.ts";
import { EnvelopeFlag, EnvelopeReader } from "../../wire/envelope.ts";
import { WireError } from "../../wire/errors.ts";
import { CONNECT_FRAMING, type StreamFraming } from "../../wire/framing.ts";
import type { HeaderMap, ResponseHead, StreamHandler } from "../../wire/stream.ts";
import { decodeHttpError } from "../errors/decode-http-error.ts";
import { decodeRpcError } from "../errors/decode-rpc-error.ts";
import { decodeWireError } from "../errors/decode-wire-error.ts";
import type { ChannelEnd, ChannelListener } from "./channel.ts";

/** Statuses by which a network says that it will not carry HTTP/2 to this host. */
const NO_HTTP2_STATUSES = new Set([421, 464]);
const NO_HTTP2_CODES = new Set<WireError["code"]>(["alpn-no-h2", "http1-required"]);
const LARGEST_ERROR_BODY = 64 * 1024;

/** Reads a streamed answer: envelopes to messages, and every way in which it can end to exactly one end. */
export class ResponseReader implements StreamHandler {
	readonly #listener: ChannelListener;
	readonly #promptBytes: number;
	readonly #framing: StreamFraming;
	readonly #envelopes: EnvelopeReader;
	#head: ResponseHead | undefined;
	#coding: string | undefined;
	#endInHeaders: EndStream | undefined;
	#errorBody: Buffer[] | undefined;
	#messages = 0;
	#over = false;

	constructor(listener: ChannelListener, promptBytes: number, framing = CONNECT_FRAMING) {
		this.#listener = listener;
		this.#promptBytes = promptBytes;
		this.#framing = framing;
		this.#envelopes = new EnvelopeReader({ allowedFlags: framing.allowedFlags });
	}

	/** Nothing more reaches the listener. */
	silence(): void {
		this.#over = true;
	}

	fail(end: ChannelEnd): void {
		if (this.#over) return;
		this.#over = true;
		this.#listener.ended(end);
	}

	onHead(head: ResponseHead): void {
		this.#head = head;
		this.#coding = first(head.headers, this.#framing.codingHeader);
		const isStream = first(head.headers, "content-type")?.startsWith(this.#framing.contentType);
		if (head.status !== 200 || !isStream) this.#errorBody = [];
		else this.#endInHeaders = this.#framing.endInHeaders(head.headers);
	}

	onData(chunk: Buffer): void {
		if (this.#over) return;
		if (this.#errorBody) {
			if (this.#errorBody.reduce((sum, part) => sum + part.length, 0) < LARGEST_ERROR_BODY) this.#errorBody.push(chunk);
			return;
		}
		try {
			this.#envelopes.push(chunk);
			for (let envelope = this.#envelopes.next(); envelope; envelope = this.#envelopes.next()) {
				if (envelope.flags & EnvelopeFlag.COMPRESSED) {
					this.#take(envelope.flags, inflateEnvelope(envelope, this.#coding));
				} else this.#take(envelope.flags, envelope.payload);
				if (this.#over) return;
			}
		} catch (error) {
			// What was read before the fault is real and goes out first.
			this.#listener.batchEnd();
			return this.fail(broken(error));
		}
		this.#listener.batchEnd();
	}

	onEnd(): void {
		if (this.#over) return;
		if (this.#errorBody) return this.fail(this.#httpFailure(Buffer.concat(this.#errorBody)));
		if (this.#endInHeaders) return this.#finish(this.#endInHeaders);
		// A host of the wrong region answers 200 and nothing at all.
		const hollow = this.#messages === 0;
		const text = hollow ? "Cursor answered without a single message." : "Cursor's answer broke off without an end.";
		const error = new GatewayError(hollow ? "upstream-protocol" : "upstream-reset", text);
		this.fail({ kind: "broken", error, fallback: hollow, safeToRetry: hollow });
	}

	onError(error: WireError): void {
		this.fail(broken(error));
	}

	#take(flags: number, payload: Uint8Array): void {
		if (!(flags & this.#framing.endFlag)) {
			this.#messages += 1;
			return this.#listener.message(payload);
		}
		const end = this.#framing.parseEnd(payload);
		// What the last read brought before the end goes out first.
		this.#listener.batchEnd();
		this.#finish(end);
	}

	#finish({ error, metadata }: EndStream): void {
		if (error) {
			this.fail({
				kind: "error",
				error: decodeRpcError(error, metadata, { promptTokens: Math.ceil(this.#promptBytes / 4) }),
			});
		} else this.fail({ kind: "complete" });
	}

	#httpFailure(body: Buffer): ChannelEnd {
		const { status, headers } = this.#head!;
		const error = decodeHttpError({ status, headers, body });
		const fallback = NO_HTTP2_STATUSES.has(status);
		return { kind: "broken", error, fallback, safeToRetry: fallback || status === 503 || status === 429 };
	}
}

/** Anything that broke the stream, and whether another channel or another try may help. */
export function broken(error: unknown): ChannelEnd {
	if (error instanceof GatewayError) return { kind: "broken", error, fallback: false, safeToRetry: false };
	if (!(error instanceof WireError)) throw error;
	return {
		kind: "broken",
		error: decodeWireError(error),
		fallback: NO_HTTP2_CODES.has(error.code),
		safeToRetry: error.safeToRetry,
	};
}

function first(headers: HeaderMap, name: string): string | undefined {
	const value = headers[name];
	return Array.isArray(value) ? value[0] : value;
}
