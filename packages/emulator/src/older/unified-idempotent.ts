import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
	type StreamUnifiedChatRequestWithTools,
	StreamUnifiedChatRequestWithToolsIdempotentSchema,
	type StreamUnifiedChatResponseWithTools,
	StreamUnifiedChatResponseWithToolsIdempotentSchema,
} from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import { AsyncQueue } from "../bidi/async-queue.ts";
import type { BidiChannel } from "../bidi/channel.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { toFailure } from "../rpc/unary.ts";
import { unifiedRun } from "./unified-run.ts";

const KEPT_AFTER_DROP_MS = 60_000;

/** A chat that outlives its connection: every chunk of the server is kept until the turn has ended. */
class ResumableStream {
	readonly input = new AsyncQueue<StreamUnifiedChatRequestWithTools>();
	readonly gone = new AbortController();
	readonly #chunks: StreamUnifiedChatResponseWithTools[] = [];
	#channel: BidiChannel | undefined;
	#finished: { failure: RpcFailure | undefined } | undefined;
	#lastSeqno = -1;
	#expiry: NodeJS.Timeout | undefined;

	/** Connects a (new) connection: what the client has not seen comes first. */
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

	/** The client wants no more of it. */
	abort(): void {
		this.gone.abort();
		this.input.close();
		this.finish();
	}

	struck(fault: string): boolean {
		return this.#channel?.struck(fault) ?? false;
	}

	/** A client chunk counts once, however often it is sent. */
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

/** StreamUnifiedChatWithToolsIdempotent: a dropped connection is taken up again by key and last event. */
export function idempotentRun(backend: Backend): (channel: BidiChannel) => Promise<void> {
	const sessions = new Map<string, ResumableStream>();
	return async (channel) => {
		const { headers } = channel.exchange;
		const key = headers["x-idempotency-key"];
		if (!key) throw new RpcFailure("invalid_argument", "header x-idempotency-key is missing");
		const known = sessions.get(key);
		const lastEventId = headers["x-idempotency-event-id"];
		if (!known && lastEventId) throw new RpcFailure("not_found", "this stream is not known any more");
		const isDegraded = backend.switches.get("idempotent-stream") === "degraded";
		const session = known ?? new ResumableStream();
		if (!known) {
			sessions.set(key, session);
			void run(session, backend, channel).finally(() => {
				setTimeout(() => sessions.delete(key), KEPT_AFTER_DROP_MS).unref();
			});
		}
		const welcome = create(StreamUnifiedChatResponseWithToolsIdempotentSchema, {
			response: {
				case: "welcomeMessage",
				value: { message: known ? "resumed" : "welcome", isDegradedMode: isDegraded },
			},
		});
		channel.send(toBinary(StreamUnifiedChatResponseWithToolsIdempotentSchema, welcome));
		session.attach(channel, lastEventId);
		await readChunks(channel, session, backend);
		session.detach(channel);
		if (!isDegraded) return;
		sessions.delete(key);
		session.gone.abort();
	};
}

async function run(session: ResumableStream, backend: Backend, channel: BidiChannel): Promise<void> {
	try {
		await unifiedRun(
			{
				headers: channel.exchange.headers,
				clientGone: session.gone.signal,
				takesToolResults: true,
				receive: () => session.input.next(),
				send: (message) => session.send(message),
				ready: () => session.ready(),
				struck: (fault) => session.struck(fault),
				end: (failure) => session.finish(failure),
				drop: () => session.drop(),
			},
			backend,
			channel.exchange,
		);
		// Nothing where the turn has ended: what a second connection would wait for will not come.
		session.finish(new RpcFailure("aborted", "the turn broke off"));
	} catch (error) {
		backend.stats.runs.failed += 1;
		session.finish(toFailure(error));
	}
}

async function readChunks(channel: BidiChannel, session: ResumableStream, backend: Backend): Promise<void> {
	for (let bytes = await channel.receive(); bytes; bytes = await channel.receive()) {
		const { request, seqno } = fromBinary(StreamUnifiedChatRequestWithToolsIdempotentSchema, bytes);
		if (request.case === "clientChunk") session.take(seqno ?? 0, request.value);
		if (request.case === "close") session.input.close();
		if (request.case !== "abort") continue;
		backend.stats.runs.cancelled.push({ at: backend.now(), requestId: channel.requestId, rpc: channel.rpc });
		session.abort();
	}
}
