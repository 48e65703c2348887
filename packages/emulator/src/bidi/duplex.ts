import type { DescMessage } from "@bufbuild/protobuf";
import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Handler } from "../http/router.ts";
import { EnvelopeReader } from "../rpc/envelope.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { framingOf, streamContentType } from "../rpc/framing.ts";
import { inflate, MAX_MESSAGE, requestCoding } from "../rpc/inflate.ts";
import { jsonToProto, protoToJson, type StreamTypes } from "../rpc/json-messages.ts";
import { ResponseStream } from "../rpc/response-stream.ts";
import { AsyncQueue } from "./async-queue.ts";
import type { BidiService } from "./channel.ts";
import { serve } from "./serve.ts";
import { WRONG_STREAM_TYPE } from "./single-message.ts";

/** The status with which Cursor's load balancer answers a duplex call over HTTP/1.1. */
const STATUS_HTTP2_ONLY = 464;

/** Both halves on one HTTP/2 stream: docs/protocol.md, Framing. */
export function duplex(backend: Backend, rpc: string, service: BidiService, types?: StreamTypes): Handler {
	return (exchange) => {
		const framing = framingOf(exchange.headers["content-type"]);
		if (exchange.httpVersion !== "2.0") {
			exchange.text(STATUS_HTTP2_ONLY, "HTTP/2 only\n");
			return;
		}
		const json = framing === "connect-json" ? types : undefined;
		if (!framing || !streamContentType(framing) || (framing === "connect-json" && !json)) {
			exchange.text(415, WRONG_STREAM_TYPE);
			return;
		}
		const encode = json && ((message: Uint8Array) => protoToJson(json.output, message));
		const stream = ResponseStream.open(exchange, framing, rpc, backend, encode);
		if (!stream) return;
		const messages = new AsyncQueue<Uint8Array>();
		readMessages(exchange, messages, json?.input, (problem) => stream.end(new RpcFailure("invalid_argument", problem)));
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

function readMessages(
	exchange: Exchange,
	messages: AsyncQueue<Uint8Array>,
	jsonType: DescMessage | undefined,
	refuse: (problem: string) => void,
): void {
	const reader = new EnvelopeReader(MAX_MESSAGE);
	const coding = requestCoding(exchange.headers);
	exchange.onData((chunk) => {
		reader.push(chunk);
		try {
			for (let envelope = reader.next(); envelope; envelope = reader.next()) {
				const message = inflate(envelope, coding);
				messages.push(jsonType ? jsonToProto(jsonType, message) : message);
			}
		} catch (error) {
			refuse((error as Error).message);
		}
	});
	exchange.onRequestEnd(() => messages.close());
	exchange.onClosed(() => messages.close());
}
