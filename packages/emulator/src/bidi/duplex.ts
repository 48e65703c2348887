import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Handler } from "../http/router.ts";
import { EnvelopeReader } from "../rpc/envelope.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { framingOf } from "../rpc/framing.ts";
import { inflate, MAX_MESSAGE, requestCoding } from "../rpc/inflate.ts";
import { ResponseStream } from "../rpc/response-stream.ts";
import { AsyncQueue } from "./async-queue.ts";
import type { BidiService } from "./channel.ts";
import { serve } from "./serve.ts";

/** What the real load balancer answers to a duplex call over HTTP/1.1. */
const STATUS_HTTP2_ONLY = 464;

/** Both halves on one HTTP/2 stream. */
export function duplex(backend: Backend, rpc: string, service: BidiService): Handler {
	return (exchange) => {
		const framing = framingOf(exchange.headers["content-type"]);
		if (exchange.httpVersion !== "2.0") {
			exchange.text(STATUS_HTTP2_ONLY, "HTTP/2 only\n");
			return;
		}
		if (framing !== "connect" && framing !== "grpc-web") {
			exchange.text(415, "streams take application/connect+proto or application/grpc-web+proto\n");
			return;
		}
		const stream = ResponseStream.open(exchange, framing, rpc, backend);
		if (!stream) return;
		const messages = new AsyncQueue<Uint8Array>();
		readMessages(exchange, messages, (problem) => stream.end(new RpcFailure("invalid_argument", problem)));
		return serve(backend, service, {
			rpc,
			requestId: exchange.headers["x-request-id"] ?? "",
			exchange,
			clientGone: exchange.clientGone,
			receive: () => messages.next(),
			send: (payload) => stream.send(payload),
			ready: () => stream.ready(),
			end: (failure) => stream.end(failure),
			struck: (fault) => stream.struck.has(fault),
			drop: () => exchange.cutConnectionAfterWrites(),
		});
	};
}

function readMessages(exchange: Exchange, messages: AsyncQueue<Uint8Array>, refuse: (problem: string) => void): void {
	const reader = new EnvelopeReader(MAX_MESSAGE);
	const coding = requestCoding(exchange.headers);
	exchange.onData((chunk) => {
		reader.push(chunk);
		try {
			for (let envelope = reader.next(); envelope; envelope = reader.next()) {
				messages.push(inflate(envelope, coding));
			}
		} catch (error) {
			refuse((error as Error).message);
		}
	});
	exchange.onRequestEnd(() => messages.close());
	exchange.onClosed(() => messages.close());
}
