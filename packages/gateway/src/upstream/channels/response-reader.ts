import { GatewayError, toGatewayError } from "../../turn/error.ts";
import { WireError } from "../../wire/errors.ts";
import { inflateEnvelope } from "../../wire/framing/compression.ts";
import { type EndStream, errorInTrailers } from "../../wire/framing/end-stream.ts";
import { EnvelopeFlag, EnvelopeReader } from "../../wire/framing/envelope.ts";
import { CONNECT_FRAMING, type StreamFraming } from "../../wire/framing/framing.ts";
import { GrowingBuffer } from "../../wire/framing/growing-buffer.ts";
import type { HeaderMap, ReadState, ResponseHead, StreamHandler } from "../../wire/stream.ts";
import { decodeHttpError } from "../errors/decode-http-error.ts";
import { decodeRpcError } from "../errors/decode-rpc-error.ts";
import { decodeWireError } from "../errors/decode-wire-error.ts";
import { WrongHost } from "../errors/host-fault.ts";
import type { ChannelEnd, ChannelListener } from "./channel.ts";

/** Statuses with which a network refuses to carry HTTP/2 to this host. */
const NO_HTTP2_STATUSES = new Set([421, 464]);
const NO_HTTP2_CODES = new Set<WireError["code"]>(["alpn-no-h2", "http1-required"]);
const LARGEST_ERROR_BODY = 64 * 1024;

/**
 * Reads a streamed response: turns envelopes into messages, and every way the stream can end into exactly one end.
 * `state` tells the transport when the stream is finished, so that none stays open after its end.
 */
export class ResponseReader implements StreamHandler {
	readonly #listener: ChannelListener;
	readonly #promptBytes: number;
	readonly #framing: StreamFraming;
	readonly #envelopes: EnvelopeReader;
	/** Of a response that is an error. */
	#errorHead: ResponseHead | undefined;
	#coding: string | undefined;
	#endInHeaders: EndStream | undefined;
	#errorBody: GrowingBuffer | undefined;
	#messages = 0;
	#state: ReadState = "reading";
	/** The listener cannot take more for now, so what was read waits here. */
	#isHeld = false;

	constructor(listener: ChannelListener, promptBytes: number, framing = CONNECT_FRAMING) {
		this.#listener = listener;
		this.#promptBytes = promptBytes;
		this.#framing = framing;
		this.#envelopes = new EnvelopeReader({ allowedFlags: framing.allowedFlags });
	}

	get state(): ReadState {
		return this.#state;
	}

	/** Stops calling the listener. */
	silence(): void {
		if (this.#state === "reading") this.#state = "failed";
	}

	fail(end: ChannelEnd): void {
		if (this.#state !== "reading") return;
		this.#state = end.kind === "broken" ? "failed" : "complete";
		this.#listener.ended(end);
	}

	/** Stops delivering messages even within one read. The caller has to stop the reading itself. */
	hold(): void {
		this.#isHeld = true;
	}

	release(): void {
		if (!this.#isHeld) return;
		this.#isHeld = false;
		if (this.#state === "reading") this.#readEnvelopes();
	}

	onHead(head: ResponseHead): void {
		this.#coding = first(head.headers, this.#framing.codingHeader);
		const isStream = first(head.headers, "content-type")?.startsWith(this.#framing.contentType);
		if (head.status !== 200 || !isStream) {
			this.#errorHead = head;
			this.#errorBody = new GrowingBuffer();
		} else this.#endInHeaders = this.#framing.endInHeaders(head.headers);
	}

	onData(chunk: Buffer): void {
		if (this.#state !== "reading") return;
		if (this.#errorBody) return this.#gatherError(this.#errorBody, chunk);
		this.#envelopes.push(chunk);
		if (!this.#isHeld) this.#readEnvelopes();
	}

	/** The beginning of an error body is enough. There is no point in waiting for a body that never ends. */
	#gatherError(body: GrowingBuffer, chunk: Buffer): void {
		body.append(chunk.subarray(0, LARGEST_ERROR_BODY - body.length), LARGEST_ERROR_BODY);
		if (body.length === LARGEST_ERROR_BODY) this.fail(this.#httpFailure(body.take()));
	}

	#readEnvelopes(): void {
		try {
			const envelopes = this.#envelopes;
			while (!this.#isHeld && envelopes.advance()) {
				if (envelopes.flags === 0) this.#message(envelopes.bytes, envelopes.start, envelopes.end);
				else this.#flagged(envelopes);
				if (this.#state !== "reading") return;
			}
		} catch (error) {
			// Messages read before the error are valid and are delivered first.
			this.#listener.batchEnd();
			return this.fail(broken(error));
		}
		this.#listener.batchEnd();
	}

	onEnd(trailers: HeaderMap): void {
		// Everything has arrived, so holding back no longer saves anything.
		while (this.#isHeld) this.release();
		if (this.#state !== "reading") return;
		if (this.#errorBody) return this.fail(this.#httpFailure(this.#errorBody.take()));
		if (this.#endInHeaders) return this.#finish(this.#endInHeaders);
		const told = errorInTrailers(trailers);
		if (told) return this.#finish({ error: told, metadata: {} });
		// A host of the wrong region responds with status 200 and no message.
		const hollow = this.#messages === 0;
		const text = hollow ? "Cursor sent a response without any message." : "Cursor's response broke off before its end.";
		const error = new GatewayError(hollow ? "upstream-protocol" : "upstream-reset", text, {
			...(hollow && { cause: new WrongHost(text) }),
		});
		this.fail({ kind: "broken", error, fallback: hollow, safeToRetry: hollow });
	}

	onError(error: WireError): void {
		this.fail(broken(error));
	}

	#message(bytes: Uint8Array, start: number, end: number): void {
		this.#messages += 1;
		this.#listener.message(bytes, start, end);
	}

	/** An envelope that is compressed, the last one, or both. */
	#flagged({ flags, bytes, start, end: to }: EnvelopeReader): void {
		const read = bytes.subarray(start, to);
		const payload = flags & EnvelopeFlag.COMPRESSED ? inflateEnvelope({ flags, payload: read }, this.#coding) : read;
		if (!(flags & this.#framing.endFlag)) return this.#message(payload, 0, payload.length);
		const end = this.#framing.parseEnd(payload);
		// Messages of the last read are delivered before the end.
		this.#listener.batchEnd(true);
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
		const { status, headers } = this.#errorHead!;
		const error = decodeHttpError({ status, headers, body });
		const fallback = NO_HTTP2_STATUSES.has(status);
		return { kind: "broken", error, fallback, safeToRetry: fallback || status === 503 || status === 429 };
	}
}

/** Classifies anything that broke the stream, and whether another channel or a retry may help. */
export function broken(error: unknown): ChannelEnd {
	if (!(error instanceof WireError)) {
		return { kind: "broken", error: toGatewayError(error), fallback: false, safeToRetry: false };
	}
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
