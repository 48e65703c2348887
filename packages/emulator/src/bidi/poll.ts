import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BidiPollRequestSchema, type BidiPollResponse, BidiPollResponseSchema } from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Handler } from "../http/router.ts";
import { endStreamPayload, type RpcFailure } from "../rpc/failure.ts";
import { ResponseStream } from "../rpc/response-stream.ts";
import type { BidiService } from "./channel.ts";
import { serve } from "./serve.ts";
import { singleMessage } from "./single-message.ts";

const LONGEST_WAIT_MS = 10_000;

/** What the server has said and no poll has fetched yet. */
class Outbox {
	readonly #waiting: BidiPollResponse[] = [];
	#seqno = 0n;
	#wake: (() => void) | undefined;
	readonly gone = new AbortController();

	put(data: string, eof = false): void {
		this.#waiting.push(create(BidiPollResponseSchema, { seqno: this.#seqno++, data, eof: eof || undefined }));
		this.#wake?.();
	}

	/** Everything that is waiting. If nothing is, the first message that comes within the longest wait. */
	async take(): Promise<BidiPollResponse[]> {
		if (this.#waiting.length === 0) {
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, LONGEST_WAIT_MS);
				this.#wake = () => {
					clearTimeout(timer);
					resolve();
				};
			});
		}
		return this.#waiting.splice(0);
	}
}

/**
 * RunPoll, for clients that cannot read a stream: each call returns what has gathered since the last one. No version of
 * the SDK in the conformance run calls it, so the form of `data` is a guess: hex text, as in BidiAppend.
 */
export function poll(backend: Backend, rpc: string, service: BidiService): Handler {
	const outboxes = new Map<string, Outbox>();
	return async (exchange) => {
		const single = await singleMessage(exchange);
		if (!single) return;
		const request = fromBinary(BidiPollRequestSchema, single.message);
		const requestId = request.requestId?.requestId ?? "";
		let outbox = outboxes.get(requestId);
		if (!outbox && request.startRequest) {
			const inbox = backend.inboxes.claim(requestId);
			outbox = new Outbox();
			outboxes.set(requestId, outbox);
			void start(backend, rpc, service, exchange, requestId, inbox, outbox);
		}
		if (!outbox) {
			exchange.text(404, "no such stream: the first poll needs start_request\n");
			return;
		}
		const stream = ResponseStream.open(exchange, single.framing, rpc, backend);
		if (!stream) return;
		const messages = await outbox.take();
		for (const message of messages) stream.send(toBinary(BidiPollResponseSchema, message));
		if (messages.at(-1)?.eof) outboxes.delete(requestId);
		stream.end();
	};
}

async function start(
	backend: Backend,
	rpc: string,
	service: BidiService,
	exchange: Exchange,
	requestId: string,
	inbox: ReturnType<Backend["inboxes"]["claim"]>,
	outbox: Outbox,
): Promise<void> {
	await serve(backend, service, {
		rpc,
		requestId,
		exchange,
		clientGone: outbox.gone.signal,
		receive: () => inbox.messages.next(),
		send: (payload) => outbox.put(Buffer.from(payload).toString("hex")),
		ready: async () => {},
		end: (failure?: RpcFailure) => outbox.put(failure ? endStreamPayload(failure).toString("hex") : "", true),
		struck: () => false,
		drop: () => outbox.put("", true),
	});
	backend.inboxes.end(requestId);
}
