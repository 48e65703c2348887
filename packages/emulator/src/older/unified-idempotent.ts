import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
	StreamUnifiedChatRequestWithToolsIdempotentSchema,
	StreamUnifiedChatResponseWithToolsIdempotentSchema,
} from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import type { BidiChannel } from "../bidi/channel.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { toFailure } from "../rpc/unary.ts";
import { KEPT_AFTER_DROP_MS, ResumableStream } from "./resumable-stream.ts";
import { unifiedRun } from "./unified-run.ts";

/**
 * StreamUnifiedChatWithToolsIdempotent: a client whose connection dropped comes back with the stream's key and the id of
 * the last event it has seen (docs/older-protocols.md, How a request travels: Idempotent).
 */
export function idempotentRun(backend: Backend): (channel: BidiChannel) => Promise<void> {
	const streams = new Map<string, ResumableStream>();
	return async (channel) => {
		const { headers } = channel.exchange;
		const key = headers["x-idempotency-key"];
		if (!key) throw new RpcFailure("invalid_argument", "header x-idempotency-key is missing");
		const known = streams.get(key);
		const lastEventId = headers["x-idempotency-event-id"];
		if (!known && lastEventId) throw new RpcFailure("not_found", "this stream is not known any more");
		const isDegraded = backend.switches.get("idempotent-stream") === "degraded";
		const stream = known ?? new ResumableStream();
		if (!known) {
			streams.set(key, stream);
			void run(stream, backend, channel).finally(() => {
				setTimeout(() => streams.delete(key), KEPT_AFTER_DROP_MS).unref();
			});
		}
		const welcome = create(StreamUnifiedChatResponseWithToolsIdempotentSchema, {
			response: {
				case: "welcomeMessage",
				value: { message: known ? "resumed" : "welcome", isDegradedMode: isDegraded },
			},
		});
		channel.send(toBinary(StreamUnifiedChatResponseWithToolsIdempotentSchema, welcome));
		stream.attach(channel, lastEventId);
		await readChunks(channel, stream, backend);
		stream.detach(channel);
		if (!isDegraded) return;
		streams.delete(key);
		stream.gone.abort();
	};
}

async function run(stream: ResumableStream, backend: Backend, channel: BidiChannel): Promise<void> {
	try {
		await unifiedRun(
			{
				headers: channel.exchange.headers,
				clientGone: stream.gone.signal,
				takesToolResults: true,
				receive: () => stream.input.next(),
				send: (message) => stream.send(message),
				ready: () => stream.ready(),
				struck: (fault) => stream.struck(fault),
				end: (failure) => stream.finish(failure),
				drop: () => stream.drop(),
			},
			backend,
			channel.exchange,
		);
		// Has no effect if the turn has ended in order. Otherwise a second connection would wait for ever.
		stream.finish(new RpcFailure("aborted", "the turn broke off"));
	} catch (error) {
		backend.stats.runs.failed += 1;
		stream.finish(toFailure(error));
	}
}

async function readChunks(channel: BidiChannel, stream: ResumableStream, backend: Backend): Promise<void> {
	for (let bytes = await channel.receive(); bytes; bytes = await channel.receive()) {
		const { request, seqno } = fromBinary(StreamUnifiedChatRequestWithToolsIdempotentSchema, bytes);
		if (request.case === "clientChunk") stream.take(seqno ?? 0, request.value);
		if (request.case === "close") stream.input.close();
		if (request.case !== "abort") continue;
		backend.stats.runs.cancelled.push({ at: backend.now(), requestId: channel.requestId, rpc: channel.rpc });
		stream.abort();
	}
}
