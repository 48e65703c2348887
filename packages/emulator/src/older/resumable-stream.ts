import { create, toBinary } from "@bufbuild/protobuf";
import {
	type StreamUnifiedChatRequestWithTools,
	type StreamUnifiedChatResponseWithTools,
	StreamUnifiedChatResponseWithToolsIdempotentSchema,
} from "@cursorwire/protocol/aiserver";
import { AsyncQueue } from "../bidi/async-queue.ts";
import type { BidiChannel } from "../bidi/channel.ts";
import type { RpcFailure } from "../rpc/failure.ts";

/** How long a stream without a connection waits for the client to come back. */
export const KEPT_AFTER_DROP_MS = 60_000;

/** A stream that outlives its connection: every chunk of the server is kept until the turn has ended. */
export class ResumableStream {
	readonly input = new AsyncQueue<StreamUnifiedChatRequestWithTools>();
	readonly gone = new AbortController();
	readonly #chunks: StreamUnifiedChatResponseWithTools[] = [];
	#channel: BidiChannel | undefined;
	#finished: { failure: RpcFailure | undefined } | undefined;
	#lastSeqno = -1;
	#expiry: NodeJS.Timeout | undefined;

	/** Takes a (new) connection and sends first what the client has not seen yet. */
	attach(channel: BidiChannel, lastEventId: string | undefined): void {
		clearTimeout(this.#expiry);
		this.#channel = channel;
		const seen = lastEventId ? this.#chunks.findIndex(({ eventId }) => eventId === lastEventId) + 1 : 0;
		for (const chunk of this.#chunks.slice(seen)) this.#deliver(chunk);
		if (this.#finished) channel.end(this.#finished.failure);
	}

	detach(channel: BidiChannel): void {
		if (this.#channel !== channel) return;
		this.#channel = undefined;
		this.#expiry = setTimeout(() => this.gone.abort(), KEPT_AFTER_DROP_MS);
		this.#expiry.unref();
	}

	send(chunk: StreamUnifiedChatResponseWithTools): void {
		this.#chunks.push(chunk);
		this.#deliver(chunk);
	}

	finish(failure?: RpcFailure): void {
		if (this.#finished) return;
		this.#finished = { failure };
		this.#channel?.end(failure);
	}

	/** The client has cancelled the turn. */
	abort(): void {
		this.gone.abort();
		this.input.close();
		this.finish();
	}

	struck(fault: string): boolean {
		return this.#channel?.struck(fault) ?? false;
	}

	/** Takes a chunk of the client, once however often it is sent, and acknowledges it. */
	take(seqno: number, chunk: StreamUnifiedChatRequestWithTools): void {
		if (seqno > this.#lastSeqno) {
			this.#lastSeqno = seqno;
			this.input.push(chunk);
		}
		const ack = create(StreamUnifiedChatResponseWithToolsIdempotentSchema, {
			response: { case: "seqnoAck", value: seqno },
		});
		this.#channel?.send(toBinary(StreamUnifiedChatResponseWithToolsIdempotentSchema, ack));
	}

	drop(): void {
		this.#channel?.drop();
	}

	async ready(): Promise<void> {
		await this.#channel?.ready();
	}

	#deliver(chunk: StreamUnifiedChatResponseWithTools): void {
		const message = create(StreamUnifiedChatResponseWithToolsIdempotentSchema, {
			response: { case: "serverChunk", value: chunk },
		});
		this.#channel?.send(toBinary(StreamUnifiedChatResponseWithToolsIdempotentSchema, message));
	}
}
